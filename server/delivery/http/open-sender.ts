import type { Context } from '../../context.ts'
import type { Sender } from './attempt.ts'
import { targetPolicy } from '../../net/target.ts'

/**
 * Returns the sender of this process, configured by the settings. The HTTP client is imported with
 * the first attempt, because most processes start without a due delivery.
 */
export function createSender(ctx: Context, version: string): Sender {
  let opened: Promise<Sender> | undefined

  async function open(): Promise<Sender> {
    const { openSender } = await import('./attempt.ts')
    return openSender({
      policy: targetPolicy(ctx.config),
      version,
      onRefused: (url, detail) =>
        ctx.log.warn(
          { event: 'delivery.target_blocked', host: URL.parse(url)?.host, detail },
          'webhook target blocked',
        ),
    })
  }

  return {
    async send(url, sent, secrets, more) {
      opened ??= open()
      return (await opened).send(url, sent, secrets, more)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
