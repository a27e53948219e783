import type { Context } from '../../context.ts'
import type { Sender } from './attempt.ts'
import { targetPolicy } from '../../net/target.ts'

/**
 * The sender of this process: by the settings, with what customers must not see in the log. The
 * HTTP client is loaded with the first delivery: most processes start without one to send.
 */
export function createSender(ctx: Context, version: string): Sender {
  let opened: Promise<Sender> | undefined

  async function open(): Promise<Sender> {
    const { openSender } = await import('./attempt.ts')
    return openSender({
      policy: targetPolicy(ctx.config),
      version,
      onRefused: (url, detail) =>
        ctx.log.warn({ host: URL.parse(url)?.host, detail }, 'a webhook target was refused'),
    })
  }

  return {
    async send(url, sent, secrets) {
      opened ??= open()
      return (await opened).send(url, sent, secrets)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
