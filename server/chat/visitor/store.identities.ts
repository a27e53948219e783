import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../storage/database.ts'

export type IdentityRow = Selectable<Tables['identities']>

/**
 * Saves a visitor's identity in place of an earlier one; returns false, and saves nothing, where the
 * earlier one is verified and another person's.
 */
export async function saveIdentity(db: Db, row: IdentityRow): Promise<boolean> {
  const { rows } = await sql`
    insert into identities (visitor_id, workspace_id, tenant_id, subject, name, email, phone,
      verified_at, updated_at)
    values (${row.visitor_id}, ${row.workspace_id}, ${row.tenant_id}, ${row.subject}, ${row.name},
      ${row.email}, ${row.phone}, ${row.verified_at}, ${row.updated_at})
    on conflict (visitor_id) do update set subject = excluded.subject, name = excluded.name,
      email = excluded.email, phone = excluded.phone, verified_at = excluded.verified_at,
      updated_at = excluded.updated_at
    where identities.verified_at is null or identities.subject = excluded.subject
    returning visitor_id`.execute(db)
  return rows.length > 0
}

export async function findIdentity(
  db: Db,
  workspaceId: string,
  visitorId: string,
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst()
}
