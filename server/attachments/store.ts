import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'

export type AttachmentRow = Selectable<Tables['attachments']>

export async function insertAttachment(db: Db, row: AttachmentRow): Promise<void> {
  await db.insertInto('attachments').values(row).execute()
}

export async function findAttachment(db: Db, id: string): Promise<AttachmentRow | undefined> {
  return db.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns when one side's files of a session since a time were sent, the oldest first. */
export async function listSentSince(
  db: Db,
  of: { workspaceId: string; sessionId: string; role: 'visitor' | 'operator' },
  since: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('attachments')
    .select('created_at')
    .where('workspace_id', '=', of.workspaceId)
    .where('session_id', '=', of.sessionId)
    .where('role', '=', of.role)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => row.created_at)
}

/** Returns the bytes of a workspace's files. */
export async function countAttachmentBytes(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ stored: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as stored from attachments
    where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]?.stored ?? 0
}
