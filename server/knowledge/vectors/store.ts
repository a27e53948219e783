import { type Selectable, sql } from 'kysely'
import { LeaseQueue } from '../../jobs/lease-queue.ts'
import type { Db, Tables } from '../../storage/database.ts'

export type EmbeddingJob = Selectable<Tables['embedding_jobs']>
export type PassageVectorRow = Selectable<Tables['passage_vectors']>
export type TenantVectorsRow = Selectable<Tables['tenant_vectors']>

interface TenantKey {
  workspaceId: string
  tenantId: string
}

/** Rows of a page of vectors, some 1 KB each. */
const ROWS_PER_PAGE = 1_000

/** The queue of the tenants whose passages lack vectors, one of a workspace at a time. */
export const embeddingJobs = new LeaseQueue<EmbeddingJob>({
  name: 'embedding_jobs',
  columns: { id: 'tenant_id', dueAt: 'due_at', attempts: 'attempts' },
  idOf: ({ tenant_id }) => tenant_id,
  attemptsOf: ({ attempts }) => attempts,
  groupCap: { column: 'workspace_id', max: 1 },
})

/**
 * Enqueues a tenant whose passages have changed. A job that runs loses its lease, so that another run
 * sees the change. Idempotent.
 */
export async function enqueueEmbedding(db: Db, tenant: TenantKey, at: number): Promise<void> {
  await sql`
    insert into embedding_jobs (tenant_id, workspace_id, due_at, attempts)
    values (${tenant.tenantId}, ${tenant.workspaceId}, ${at}, 0)
    on conflict (tenant_id) do update set
      due_at = excluded.due_at, attempts = 0, lease_token = null, lease_until = null`.execute(db)
}

/** Enqueues the tenants of a workspace, whose model has changed. Idempotent. */
export async function enqueueWorkspace(db: Db, workspaceId: string, at: number): Promise<void> {
  await sql`
    insert into embedding_jobs (tenant_id, workspace_id, due_at, attempts)
    select id, workspace_id, ${at}, 0 from tenants where workspace_id = ${workspaceId}
    on conflict (tenant_id) do update set
      due_at = excluded.due_at, attempts = 0, lease_token = null, lease_until = null`.execute(db)
}

/** Enqueues every tenant with passages whose vectors are not of this model. Idempotent. */
export async function enqueueStale(db: Db, model: string, at: number): Promise<void> {
  await sql`
    insert into embedding_jobs (tenant_id, workspace_id, due_at, attempts)
    select tenants.id, tenants.workspace_id, ${at}, 0 from tenants
    where not exists (
      select 1 from tenant_vectors as known
      where known.tenant_id = tenants.id and known.model = ${model}
    ) and exists (select 1 from passages where passages.tenant_id = tenants.id)
    on conflict (tenant_id) do nothing`.execute(db)
}

/** A passage without a vector of the wanted model. */
export interface UnembeddedPassage {
  document_id: string
  ordinal: number
  heading: string
  content: string
}

/** Lists passages of a tenant that have no vector of this model. */
export async function listUnembedded(
  db: Db,
  tenant: TenantKey,
  model: string,
  limit: number,
): Promise<UnembeddedPassage[]> {
  const { rows } = await sql<UnembeddedPassage>`
    select p.document_id, p.ordinal, p.heading, p.content from passages as p
    where p.workspace_id = ${tenant.workspaceId} and p.tenant_id = ${tenant.tenantId}
      and not exists (
        select 1 from passage_vectors as v
        where v.document_id = p.document_id and v.ordinal = p.ordinal and v.model = ${model}
      )
    order by p.document_id, p.ordinal limit ${limit}`.execute(db)
  return rows
}

/** Inserts vectors, in place of those of another model; leaves out those of removed passages. */
export async function upsertVectors(db: Db, rows: readonly PassageVectorRow[]): Promise<void> {
  for (const row of rows) {
    await sql`
      insert into passage_vectors
        (document_id, ordinal, workspace_id, tenant_id, model, dimension, scale, codes)
      select document_id, ordinal, workspace_id, tenant_id,
        cast(${row.model} as text), cast(${row.dimension} as bigint),
        cast(${row.scale} as double precision), cast(${row.codes} as text)
      from passages
      where document_id = ${row.document_id} and ordinal = ${row.ordinal}
        and workspace_id = ${row.workspace_id}
      on conflict (document_id, ordinal) do update set model = excluded.model,
        dimension = excluded.dimension, scale = excluded.scale, codes = excluded.codes`.execute(db)
  }
}

/** Returns the state of a tenant's vectors; undefined where nothing was embedded yet. */
export async function findTenantVectors(
  db: Db,
  tenant: TenantKey,
): Promise<TenantVectorsRow | undefined> {
  return db
    .selectFrom('tenant_vectors')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .executeTakeFirst()
}

export async function saveTenantVectors(db: Db, row: TenantVectorsRow): Promise<void> {
  const { tenant_id: _tenant, workspace_id: _workspace, ...values } = row
  await db
    .insertInto('tenant_vectors')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(values))
    .execute()
}

/** Counts a tenant's vectors of a model, and returns their dimension. */
export async function measureVectors(
  db: Db,
  tenant: TenantKey,
  model: string,
): Promise<{ count: number; dimension: number }> {
  const { rows } = await sql<{ count: number; dimension: number }>`
    select count(*) as count, cast(coalesce(max(dimension), 0) as bigint) as dimension
    from passage_vectors
    where workspace_id = ${tenant.workspaceId} and tenant_id = ${tenant.tenantId}
      and model = ${model} and scale > 0`.execute(db)
  return rows[0] ?? { count: 0, dimension: 0 }
}

export type StoredVector = Pick<PassageVectorRow, 'document_id' | 'ordinal' | 'scale' | 'codes'>

/** Lists a tenant's vectors of a model in pages, so that a large tenant is never read at once. */
export async function* listVectors(
  db: Db,
  tenant: TenantKey,
  model: string,
): AsyncGenerator<StoredVector[]> {
  let last = { document_id: '', ordinal: -1 }
  for (;;) {
    const { rows } = await sql<StoredVector>`
      select document_id, ordinal, scale, codes from passage_vectors
      where workspace_id = ${tenant.workspaceId} and tenant_id = ${tenant.tenantId}
        and model = ${model} and scale > 0
        and (document_id, ordinal) > (${last.document_id}, ${last.ordinal})
      order by document_id, ordinal limit ${ROWS_PER_PAGE}`.execute(db)
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (!end || rows.length < ROWS_PER_PAGE) return
    last = end
  }
}
