import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'

interface SessionRef {
  workspaceId: string
  sessionId: string
}

/** Saves a session's code in place of the previous one. */
export async function saveCode(db: Db, row: Selectable<Tables['lead_codes']>): Promise<void> {
  const { digest, tries, expires_at } = row
  await db
    .insertInto('lead_codes')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet({ digest, tries, expires_at }),
    )
    .execute()
}

/**
 * Consumes an attempt; returns the digest of the right code, `undefined` after the last attempt or
 * the deadline.
 */
export async function consumeCodeAttempt(
  db: Db,
  { workspaceId, sessionId }: SessionRef,
  now: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ digest: string }>`
    update lead_codes set tries = tries - 1 where session_id = ${sessionId}
      and workspace_id = ${workspaceId} and tries > 0 and expires_at > ${now}
    returning digest`.execute(db)
  return rows[0]?.digest
}

export async function removeCode(db: Db, { workspaceId, sessionId }: SessionRef): Promise<void> {
  await db
    .deleteFrom('lead_codes')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .execute()
}
