import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Db } from '../storage/database.ts'

/** The page shows the newest messages only; the widget shows all. */
const MAX_SHOWN = 100

/** Returns the newest messages of a session, the oldest first. */
export async function listNewestMessages(db: Db, session: SessionRow): Promise<MessageRow[]> {
  const newest = await db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', session.workspace_id)
    .where('session_id', '=', session.id)
    .orderBy('sequence', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return newest.toReversed()
}
