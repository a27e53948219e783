import { z } from 'zod'
import { PROVIDER_NAMES } from '../models/providers.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'

const StoredChoice = z.object({
  provider: z.enum(PROVIDER_NAMES),
  base_url: z.string().nullable(),
  model: z.string().nullable(),
  image_model: z.string().nullable(),
  /** Encrypted. */
  api_key: z.string().nullable(),
})
export type StoredChoice = z.infer<typeof StoredChoice>
const StoredChoices = z.array(StoredChoice)

export type EmbeddingChoiceRow = Selectable<Tables['embedding_choices']>

/** The models that a workspace chose, in failover order. */
export async function listChoices(db: Db, workspaceId: string): Promise<StoredChoice[]> {
  const row = await db
    .selectFrom('model_choices')
    .select('choices')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row ? StoredChoices.parse(JSON.parse(row.choices)) : []
}

export async function saveChoices(
  db: Db,
  workspaceId: string,
  choices: readonly StoredChoice[],
  now: number,
): Promise<void> {
  const values = { choices: JSON.stringify(choices), updated_at: now }
  await db
    .insertInto('model_choices')
    .values({ workspace_id: workspaceId, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
}

export async function updateWorkspace(
  db: Db,
  workspaceId: string,
  values: { name?: string; locale?: string; time_zone?: string },
): Promise<void> {
  await db.updateTable('workspaces').set(values).where('id', '=', workspaceId).execute()
}

/** Returns the embedding model that a workspace brings. */
export async function findEmbeddingChoice(
  db: Db,
  workspaceId: string,
): Promise<EmbeddingChoiceRow | undefined> {
  return db
    .selectFrom('embedding_choices')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

export async function saveEmbeddingChoice(db: Db, row: EmbeddingChoiceRow): Promise<void> {
  const { workspace_id: _, ...values } = row
  await db
    .insertInto('embedding_choices')
    .values(row)
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
}

export async function deleteEmbeddingChoice(db: Db, workspaceId: string): Promise<void> {
  await db.deleteFrom('embedding_choices').where('workspace_id', '=', workspaceId).execute()
}

/** Returns the members and sites of a workspace, counted. */
export async function countContents(
  db: Db,
  workspaceId: string,
): Promise<{ members: number; sites: number }> {
  const { rows } = await sql<{ members: number; sites: number }>`
    select (select count(*) from users where workspace_id = ${workspaceId}) as members,
      (select count(*) from tenants where workspace_id = ${workspaceId}) as sites`.execute(db)
  return rows[0] ?? { members: 0, sites: 0 }
}
