import type { Context } from '../context.ts'
import { openSender, type Sender } from './attempt.ts'
import { targetPolicy } from './target.ts'

/** The sender of this process: by the settings, with what customers must not see in the log. */
export function openSenderFor(ctx: Context, version: string): Sender {
  return openSender({
    policy: targetPolicy(ctx.config),
    version,
    onRefused: (url, detail) =>
      ctx.log.warn({ host: URL.parse(url)?.host, detail }, 'a webhook target was refused'),
  })
}
