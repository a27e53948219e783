import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { prepared } from '../storage/prepared.ts'
import { cachedRead } from '../storage/read-cache.ts'
import type { RuleEvent } from './schema.ts'

export type RuleRow = Selectable<Tables['rules']>

export async function insertRule(db: Db, row: RuleRow): Promise<void> {
  await db.insertInto('rules').values(row).execute()
}

/** Finds a rule of any workspace, deleted ones included. */
export async function findRule(db: Db, id: string): Promise<RuleRow | undefined> {
  return db.selectFrom('rules').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds existing rules, of any workspace. */
export async function findRules(db: Db, ids: readonly string[]): Promise<RuleRow[]> {
  return db
    .selectFrom('rules')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Finds the active rules of a workspace for an event. */
export function findActiveRules(
  db: Db,
  workspaceId: string,
  event: RuleEvent,
): Promise<readonly Readonly<RuleRow>[]> {
  return readActiveRules(db, workspaceId, event)
}

const readActiveRules = cachedRead<RuleRow>(
  ['rules'],
  (workspaceId, event) => prepared`
    select * from rules
    where workspace_id = ${workspaceId}
      and (event = ${event} or events like ${`%"${event}"%`})
      and disabled_at is null and deleted_at is null`,
)

/** Finds the ids of the active rules of a workspace. */
export async function findActiveRuleIds(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rules')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists the rules of a workspace, newest first; `limit` + 1 rows. */
export async function listRules(
  db: Db,
  workspaceId: string,
  { limit, after }: { limit: number; after: Cursor | undefined },
): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select * from rules
    where workspace_id = ${workspaceId} and deleted_at is null
      and ${after ? sql`(created_at, id) < (${after.at}, ${after.id})` : sql`1 = 1`}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

/** Updates a rule that is not deleted and still has this encrypted secret; else `undefined`. */
export async function updateRule(
  db: Db,
  place: { workspaceId: string; id: string; secret?: string },
  values: Partial<RuleRow>,
): Promise<RuleRow | undefined> {
  const { workspaceId, id, secret } = place
  return db
    .updateTable('rules')
    .set(values)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .$if(secret !== undefined, (query) => query.where('secret', '=', secret ?? ''))
    .returningAll()
    .executeTakeFirst()
}
