import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Db } from '../storage/database.ts'

/** The page shows so many messages; who wants more has the widget. */
const MAX_SHOWN = 100

/** The newest messages of a conversation, oldest first. */
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
