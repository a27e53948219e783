import { recordEvent } from '../chat/session/session-events.ts'
import type { SessionRow } from '../chat/session/store.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { countChange, endSnooze, findTags, listAwake, replaceTags } from './store.tags.ts'

const SESSIONS_AT_ONCE = 100

/**
 * Changes the tags of a session, its snooze, or both, and notifies the live streams. Throws 404
 * for an erased session.
 */
export function triageSession(
  ctx: Context,
  session: SessionRow,
  change: { tags: readonly string[] | undefined; snoozedUntil: number | null | undefined },
): Promise<SessionRow> {
  return transaction(ctx, async (tx) => {
    const changed = await countChange(tx.db, session, change.snoozedUntil)
    if (!changed) throw new AppError('not_found', 'This session does not exist.')
    if (change.tags) await replaceTags(tx.db, session, change.tags)
    await announce(tx, changed)
    return changed
  })
}

/**
 * Returns the sessions whose snooze has ended to the top of the inbox. Safe in several processes at
 * once.
 */
export async function wakeSessions(ctx: Context): Promise<void> {
  for (;;) {
    const sessions = await listAwake(ctx.db, ctx.now(), SESSIONS_AT_ONCE)
    for (const session of sessions) {
      await transaction(ctx, async (tx) => {
        const awake = await endSnooze(tx.db, session, tx.now())
        if (awake) await announce(tx, awake)
      })
    }
    if (sessions.length < SESSIONS_AT_ONCE) return
  }
}

async function announce(tx: Transaction, session: SessionRow): Promise<void> {
  const tags = await findTags(tx.db, session.workspace_id, [session.id])
  const { snoozed_until: until } = session
  recordEvent(tx, session, {
    kind: 'inbox',
    data: {
      tags: tags.get(session.id) ?? [],
      snoozed_until: until === null ? null : isoTime(until),
    },
  })
}
