import type { Context } from '../context.ts'
import type { App } from '../http/app-type.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { extendPresence } from './store.ts'

const FLUSH_INTERVAL_MS = MINUTE_MS / 2

/**
 * Extends the presence of members who call the panel's routes or listen to a live stream: one statement
 * per process every half minute, so that a call writes nothing. API keys are programs, not people.
 */
export function trackPresence(app: App, ctx: Context): void {
  const seen = new Set<string>()
  let cancelTimer = (): void => undefined

  function schedule(): void {
    cancelTimer = ctx.clock.after(FLUSH_INTERVAL_MS, () => {
      schedule()
      const userIds = new Set([...seen, ...ctx.streams.liveMembers()])
      seen.clear()
      extendPresence(ctx.db, [...userIds], ctx.now()).catch((error: unknown) =>
        ctx.log.warn(
          { event: 'presence.extension_failed', err: error },
          'presence extension failed',
        ),
      )
    })
  }

  app.addHook('onResponse', async ({ caller }) => {
    if (caller?.kind === 'user') seen.add(caller.id)
  })
  app.addHook('onReady', async () => schedule())
  app.addHook('onClose', async () => cancelTimer())
}
