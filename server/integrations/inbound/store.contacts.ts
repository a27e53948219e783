import { type Selectable, sql } from 'kysely'
import type { SessionRow } from '../../chat/session/store.ts'
import type { Db, Tables } from '../../storage/database.ts'

export type ContactRow = Selectable<Tables['channel_contacts']>

/** Finds or stores the contact of a provider's id. Locks its row inside a transaction. */
export async function upsertContact(db: Db, row: ContactRow): Promise<ContactRow> {
  const { rows } = await sql<ContactRow>`
    insert into channel_contacts (integration_id, contact, workspace_id, visitor_id, session_id,
      created_at)
    values (${row.integration_id}, ${row.contact}, ${row.workspace_id}, ${row.visitor_id}, null,
      ${row.created_at})
    on conflict (integration_id, contact) do update set contact = excluded.contact
    returning *`.execute(db)
  const [kept] = rows
  if (!kept) throw new Error('The contact was neither stored nor found.')
  return kept
}

/** Sets the contact's current conversation. */
export async function setContactSession(
  db: Db,
  { integration_id, contact, workspace_id }: ContactRow,
  sessionId: string,
): Promise<void> {
  await db
    .updateTable('channel_contacts')
    .set({ session_id: sessionId })
    .where('integration_id', '=', integration_id)
    .where('contact', '=', contact)
    .where('workspace_id', '=', workspace_id)
    .execute()
}

/** The contact of a conversation. */
export async function findSessionContact(
  db: Db,
  session: Pick<SessionRow, 'workspace_id' | 'id'>,
): Promise<ContactRow | undefined> {
  return db
    .selectFrom('channel_contacts')
    .selectAll()
    .where('workspace_id', '=', session.workspace_id)
    .where('session_id', '=', session.id)
    .executeTakeFirst()
}

/** Counts the visitor's messages after a time, up to `most`. */
export async function countMessagesSince(
  db: Db,
  { workspace_id, id }: SessionRow,
  { since, max }: { since: number; max: number },
): Promise<number> {
  const { rows } = await sql<{ said: number }>`
    select count(*) as said from (
      select created_at from messages
      where workspace_id = ${workspace_id} and session_id = ${id} and role = 'visitor'
      order by sequence desc limit ${max}
    ) as latest where created_at > ${since}`.execute(db)
  return rows[0]?.said ?? 0
}
