import type { Selectable } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import { olderThan } from '../storage/paging.ts'
import type { Db, Tables } from '../storage/database.ts'

export type LeadRow = Selectable<Tables['leads']>

/** Stores a lead unless its session has one already; answers whether it did. */
export async function insertLead(db: Db, row: LeadRow): Promise<boolean> {
  const inserted = await db
    .insertInto('leads')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Corrects what a visitor left before. */
export async function updateLead(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  values: Partial<LeadRow>,
): Promise<LeadRow> {
  return db
    .updateTable('leads')
    .set(values)
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findLead(db: Db, id: string): Promise<LeadRow | undefined> {
  return db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The lead that was left in a session. */
export async function findSessionLead(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<LeadRow | undefined> {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .executeTakeFirst()
}

export async function listLeads(
  db: Db,
  workspaceId: string,
  page: { limit: number; after: Cursor | undefined },
): Promise<LeadRow[]> {
  return db
    .selectFrom('leads')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(olderThan('captured_at', page.after))
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}
