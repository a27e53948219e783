import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'
import { valuesTable } from '../../storage/values-table.ts'
import type { PlanId } from './plans.ts'

/** Returns the active token families among `ids`. */
export async function findActiveFamilies(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<string[]> {
  const wanted = valuesTable(
    db,
    ['text'],
    ids.map((id) => [id]),
  )
  const { rows } = await sql<{ id: string }>`
    select families.id from families
    join ${wanted} as wanted on wanted.c0 = families.id
    where families.ended_at is null and families.expires_at > ${now}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the active keys among `ids`, with the present plan of their workspace. */
export async function findActiveKeys(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<{ id: string; plan: PlanId }[]> {
  const wanted = valuesTable(
    db,
    ['text'],
    ids.map((id) => [id]),
  )
  const { rows } = await sql<{ id: string; plan: PlanId }>`
    select api_keys.id, workspaces.plan from api_keys
    join ${wanted} as wanted on wanted.c0 = api_keys.id
    join workspaces on workspaces.id = api_keys.workspace_id
    where api_keys.expires_at is null or api_keys.expires_at > ${now}`.execute(db)
  return rows
}

/** Returns the ids of the suspended workspaces of the installation. */
export async function listSuspended(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('suspended_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}
