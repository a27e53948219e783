import { type Selectable, sql } from 'kysely'
import type { SessionRow } from '../../chat/store.ts'
import type { Db, Tables } from '../../storage/database.ts'

export type ContactRow = Selectable<Tables['channel_contacts']>

/** The person behind a provider's id, known from now on. Inside a transaction it is locked. */
export async function keepContact(db: Db, row: ContactRow): Promise<ContactRow> {
  const { rows } = await sql<ContactRow>`
    insert into channel_contacts (integration_id, contact, workspace_id, visitor_id, session_id,
      created_at)
    values (${row.integration_id}, ${row.contact}, ${row.workspace_id}, ${row.visitor_id}, null,
      ${row.created_at})
    on conflict (integration_id, contact) do update set contact = excluded.contact
    returning *`.execute(db)
  const [kept] = rows
  if (!kept) throw new Error('A contact was neither stored nor found.')
  return kept
}

/** Makes a conversation the contact's present one. */
export async function moveContact(
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

/** Who is on the other side of a conversation. */
export async function findContactOf(
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

/** How many of the visitor's last messages, up to `most`, came after a time. */
export async function countSaidSince(
  db: Db,
  { workspace_id, id }: SessionRow,
  { since, most }: { since: number; most: number },
): Promise<number> {
  const { rows } = await sql<{ said: number }>`
    select count(*) as said from (
      select created_at from messages
      where workspace_id = ${workspace_id} and session_id = ${id} and role = 'visitor'
      order by sequence desc limit ${most}
    ) as latest where created_at > ${since}`.execute(db)
  return rows[0]?.said ?? 0
}
