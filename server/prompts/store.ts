import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'
import { byteOrder } from '../storage/keyset.ts'
import { cachedRead } from '../storage/read-cache.ts'
import { prepared } from '../storage/prepared.ts'

export type FactRow = Selectable<Tables['memory']>
export type ImageRow = Selectable<Tables['run_images']>

/** The current version of a workspace's prompt. */
export interface StoredPrompt {
  prompt_id: string
  version: number
  definition: string
}

const readPrompt = cachedRead<StoredPrompt>(
  ['prompts', 'prompt_versions'],
  (workspaceId, promptId) => prepared`
    select prompts.prompt_id, prompts.version, prompt_versions.definition from prompts
    join prompt_versions on prompt_versions.workspace_id = prompts.workspace_id
      and prompt_versions.prompt_id = prompts.prompt_id
      and prompt_versions.version = prompts.version
    where prompts.workspace_id = ${workspaceId} and prompts.prompt_id = ${promptId}
      and prompts.deleted_at is null`,
)

/** Returns the current version of a prompt. */
export async function findPrompt(
  db: Db,
  workspaceId: string,
  promptId: string,
): Promise<StoredPrompt | undefined> {
  const [row] = await readPrompt(db, workspaceId, promptId)
  return row
}

/** Returns the current versions of prompts by name. */
export async function findVersions(
  db: Db,
  workspaceId: string,
  promptIds: readonly string[],
): Promise<Map<string, number>> {
  if (promptIds.length === 0) return new Map()
  const { rows } = await prepared<Pick<StoredPrompt, 'prompt_id' | 'version'>>`
    select prompt_id, version from prompts
    where workspace_id = ${workspaceId} and prompt_id in (${promptIds})
      and deleted_at is null`.execute(db)
  return new Map(rows.map(({ prompt_id, version }) => [prompt_id, version]))
}

/** Returns a page of the workspace's prompts by name. */
export async function listPrompts(
  db: Db,
  workspaceId: string,
  page: { after: string; limit: number },
): Promise<StoredPrompt[]> {
  const name = byteOrder(db, 'prompts.prompt_id')
  const { rows } = await sql<StoredPrompt>`
    select prompts.prompt_id, prompts.version, prompt_versions.definition from prompts
    join prompt_versions on prompt_versions.workspace_id = prompts.workspace_id
      and prompt_versions.prompt_id = prompts.prompt_id
      and prompt_versions.version = prompts.version
    where prompts.workspace_id = ${workspaceId} and ${name} > ${page.after}
      and prompts.deleted_at is null
    order by ${name} limit ${page.limit}`.execute(db)
  return rows
}

/** Inserts or revives a prompt; returns its next version, `undefined` for a name in use. */
export async function claimName(
  db: Db,
  workspaceId: string,
  promptId: string,
  now: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    insert into prompts (workspace_id, prompt_id, version, created_at, updated_at, deleted_at)
    values (${workspaceId}, ${promptId}, 1, ${now}, ${now}, null)
    on conflict (workspace_id, prompt_id) do update set
      version = prompts.version + 1, updated_at = ${now}, deleted_at = null
    where prompts.deleted_at is not null
    returning version`.execute(db)
  return rows[0]?.version
}

/** Increments a prompt's version; returns `undefined` for an unknown prompt. */
export async function nextVersion(
  db: Db,
  workspaceId: string,
  promptId: string,
  now: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    update prompts set version = version + 1, updated_at = ${now}
    where workspace_id = ${workspaceId} and prompt_id = ${promptId} and deleted_at is null
    returning version`.execute(db)
  return rows[0]?.version
}

export async function insertVersion(
  db: Db,
  row: Selectable<Tables['prompt_versions']>,
): Promise<void> {
  await db.insertInto('prompt_versions').values(row).execute()
}

/** Returns versions of a prompt, newest first, one more than the limit. */
export async function listVersions(
  db: Db,
  workspaceId: string,
  { promptId, limit, before }: { promptId: string; limit: number; before: number | undefined },
): Promise<Selectable<Tables['prompt_versions']>[]> {
  let query = db
    .selectFrom('prompt_versions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('prompt_id', '=', promptId)
    .orderBy('version', 'desc')
    .limit(limit + 1)
  if (before !== undefined) query = query.where('version', '<', before)
  return query.execute()
}

export async function countPrompts(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('prompts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks a prompt as deleted; its versions stay for the runs that name them. */
export async function removePrompt(
  db: Db,
  workspaceId: string,
  promptId: string,
  now: number,
): Promise<boolean> {
  const removed = await db
    .updateTable('prompts')
    .set({ deleted_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('prompt_id', '=', promptId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return removed.numUpdatedRows > 0n
}

export async function findFact(
  db: Db,
  workspaceId: string,
  key: string,
): Promise<FactRow | undefined> {
  return db
    .selectFrom('memory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function findFacts(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<FactRow[]> {
  if (keys.length === 0) return []
  return db
    .selectFrom('memory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('key', 'in', keys)
    .execute()
}

/** Returns a page of facts by key. */
export async function listFacts(
  db: Db,
  workspaceId: string,
  page: { after: string; limit: number },
): Promise<FactRow[]> {
  return db
    .selectFrom('memory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('key', '>', page.after)
    .orderBy('key')
    .limit(page.limit)
    .execute()
}

/** Returns the first facts by key that answers to a site's visitors may use. */
export async function listPublicFacts(
  db: Db,
  { workspaceId, tenantId, limit }: { workspaceId: string; tenantId: string; limit: number },
): Promise<FactRow[]> {
  return db
    .selectFrom('memory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('is_public', '=', 1)
    .where((eb) => eb.or([eb('tenant_id', 'is', null), eb('tenant_id', '=', tenantId)]))
    .orderBy('key')
    .limit(limit)
    .execute()
}

export async function countFacts(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('memory')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function upsertFact(
  db: Db,
  { workspace_id, key, created_at, ...values }: FactRow,
): Promise<void> {
  await db
    .insertInto('memory')
    .values({ workspace_id, key, created_at, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doUpdateSet(values))
    .execute()
}

export async function deleteFact(db: Db, workspaceId: string, key: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('memory')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

export async function insertImage(db: Db, row: ImageRow): Promise<void> {
  await db.insertInto('run_images').values(row).execute()
}

/** Returns an image of any workspace by its id. */
export async function findImage(db: Db, id: string): Promise<ImageRow | undefined> {
  return db.selectFrom('run_images').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function deleteOldImages(db: Db, now: number): Promise<void> {
  await db.deleteFrom('run_images').where('expires_at', '<=', now).execute()
}
