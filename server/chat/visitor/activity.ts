import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import type { Db } from '../../storage/database.ts'

const FLUSH_INTERVAL_MS = MINUTE_MS / 2
const MAX_PER_STATEMENT = 500

/** The conversations that visitors of this process look at: an open live stream, or a read history. */
export class VisitorActivity {
  /** The sessions with an open stream, and how many. */
  readonly #open = new Map<string, number>()
  readonly #seen = new Set<string>()

  /** Counts an open stream; the returned function ends it. */
  enter(sessionId: string): () => void {
    this.#open.set(sessionId, (this.#open.get(sessionId) ?? 0) + 1)
    return () => {
      const left = (this.#open.get(sessionId) ?? 1) - 1
      if (left > 0) this.#open.set(sessionId, left)
      else this.#open.delete(sessionId)
      this.#seen.add(sessionId)
    }
  }

  /** Notes that a visitor has just looked at a conversation. */
  see(sessionId: string): void {
    this.#seen.add(sessionId)
  }

  /** Returns the sessions seen since the last call. */
  take(): string[] {
    const ids = new Set([...this.#seen, ...this.#open.keys()])
    this.#seen.clear()
    return [...ids]
  }
}

/** Returns the visitors' activity, and stores it every half minute for every process to see. */
export function trackVisitors(app: App, ctx: Context): VisitorActivity {
  const visitors = new VisitorActivity()
  let cancelTimer = (): void => undefined

  function schedule(): void {
    cancelTimer = ctx.clock.after(FLUSH_INTERVAL_MS, () => {
      schedule()
      saveActivity(ctx.db, visitors.take(), ctx.now()).catch((error: unknown) =>
        ctx.log.warn(
          { event: 'visitors.activity_failed', err: error },
          'visitor activity was not stored',
        ),
      )
    })
  }

  app.addHook('onReady', async () => schedule())
  app.addHook('onClose', async () => cancelTimer())
  return visitors
}

/** Saves when visitors were there last; only for conversations with people, to write little. */
async function saveActivity(db: Db, sessionIds: readonly string[], now: number): Promise<void> {
  for (let at = 0; at < sessionIds.length; at += MAX_PER_STATEMENT) {
    const ids = sessionIds.slice(at, at + MAX_PER_STATEMENT)
    await sql`
      insert into visitor_activity (session_id, workspace_id, seen_at)
      select id, workspace_id, ${sql.lit(now)} from sessions
      where id in (${sql.join(ids)}) and state in ('waiting', 'operator')
      on conflict (session_id) do update set seen_at = excluded.seen_at`.execute(db)
  }
}
