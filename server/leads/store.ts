import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import { keysetBefore } from '../storage/keyset.ts'
import type { Db, Tables } from '../storage/database.ts'
import { prepared } from '../storage/prepared.ts'

export type LeadRow = Selectable<Tables['leads']>
/** A lead with the name of the member who looks after the lead. */
export type OwnedLeadRow = LeadRow & { owner_name: string | null }

function selectLeads(db: Db) {
  return db
    .selectFrom('leads')
    .selectAll('leads')
    .select((eb) =>
      eb
        .selectFrom('users')
        .select('users.name')
        .whereRef('users.id', '=', 'leads.owner_id')
        .as('owner_name'),
    )
}

/** Inserts a lead unless its session has one; returns whether it did. */
export async function insertLead(db: Db, row: LeadRow): Promise<boolean> {
  const inserted = await db
    .insertInto('leads')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Updates the lead of a session; returns `undefined` for an erased one. */
export async function updateLead(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  values: Partial<LeadRow>,
): Promise<LeadRow | undefined> {
  return db
    .updateTable('leads')
    .set(values)
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the workspace of a lead of any workspace. */
export async function findLeadWorkspace(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('leads')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

export async function findLead(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<OwnedLeadRow | undefined> {
  return selectLeads(db)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the lead of a session. */
export async function findSessionLead(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<OwnedLeadRow | undefined> {
  return selectLeads(db)
    .where('workspace_id', '=', place.workspaceId)
    .where('session_id', '=', place.sessionId)
    .executeTakeFirst()
}

/** Filters of a list or an export: an interval of capture times and a text. */
export interface LeadListFilter {
  tenantId?: string | undefined
  source?: string | undefined
  status?: LeadRow['status'] | undefined
  from?: number | undefined
  to?: number | undefined
  /** Part of the name, phone number, e-mail address or interest. */
  text?: string | undefined
}

/** Returns a page of leads, newest first. */
export async function listLeads(
  db: Db,
  workspaceId: string,
  page: LeadListFilter & { limit: number; after: Cursor | undefined },
): Promise<OwnedLeadRow[]> {
  let query = selectLeads(db)
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('captured_at', page.after))
  if (page.tenantId !== undefined) query = query.where('tenant_id', '=', page.tenantId)
  if (page.source !== undefined) query = query.where('source', '=', page.source)
  if (page.status !== undefined) query = query.where('status', '=', page.status)
  if (page.from !== undefined) query = query.where('captured_at', '>=', page.from)
  if (page.to !== undefined) query = query.where('captured_at', '<', page.to)
  if (page.text !== undefined) query = query.where(matchesText(page.text))
  return query
    .orderBy('captured_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Matches the text as written or in lower case; SQLite lowers ASCII only. */
function matchesText(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const all = sql`name || ' ' || phone || ' ' || email || ' ' || interest`
  return sql<boolean>`(${all} like ${pattern} escape '\\'
    or lower(${all}) like lower(${pattern}) escape '\\')`
}

/** Removes a lead, and what its session has left of a form. Idempotent. */
export async function deleteLead(db: Db, { workspace_id, session_id, id }: LeadRow): Promise<void> {
  await db
    .deleteFrom('leads')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
  await removeDraft(db, { workspaceId: workspace_id, sessionId: session_id })
}

export async function findDraft(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<Selectable<Tables['lead_drafts']> | undefined> {
  const { rows } = await prepared<Selectable<Tables['lead_drafts']>>`
    select * from lead_drafts where session_id = ${place.sessionId}
      and workspace_id = ${place.workspaceId}`.execute(db)
  return rows[0]
}

/** Returns the contact details of a session: of its lead, else the parts that were written so far. */
export async function findContact(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<{ name: string; phone: string; email: string } | undefined> {
  const lead = await findSessionLead(db, place)
  if (lead) return lead
  const draft = await findDraft(db, place)
  return draft && { name: draft.name ?? '', phone: draft.phone ?? '', email: draft.email ?? '' }
}

export async function saveDraft(db: Db, row: Selectable<Tables['lead_drafts']>): Promise<void> {
  const { session_id: _session, workspace_id: _workspace, ...values } = row
  await db
    .insertInto('lead_drafts')
    .values(row)
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
    .execute()
}

export async function removeDraft(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<void> {
  await sql`delete from lead_drafts where session_id = ${place.sessionId}
    and workspace_id = ${place.workspaceId}`.execute(db)
}
