import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, TxDb } from '../../storage/database.ts'

interface TenantKey {
  workspaceId: string
  tenantId: string
}

/** The stamp of a snapshot, and how many parts it has. */
export interface SnapshotHead {
  stamp: string
  parts: number
}

/** SQLite reads and writes a part in less than a millisecond. */
const PART_BYTES = 262_144
/** Parts of a statement: a round trip for nearly all snapshots. */
const PARTS_PER_PAGE = 8

export async function findSnapshot(db: Db, tenant: TenantKey): Promise<SnapshotHead | undefined> {
  return db
    .selectFrom('index_snapshots')
    .select(['stamp', 'parts'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where('part', '=', 0)
    .executeTakeFirst()
}

/** Returns the content of a snapshot; less of it where the snapshot was replaced or removed since. */
export async function readParts(
  db: Db,
  tenant: TenantKey,
  { stamp, parts }: SnapshotHead,
): Promise<Buffer> {
  const found: Buffer[] = []
  for (let from = 0; from < parts; from += PARTS_PER_PAGE) {
    const page = await db
      .selectFrom('index_snapshots')
      .select('content')
      .where('workspace_id', '=', tenant.workspaceId)
      .where('tenant_id', '=', tenant.tenantId)
      .where('stamp', '=', stamp)
      .where('part', '>=', from)
      .where('part', '<', from + PARTS_PER_PAGE)
      .orderBy('part')
      .execute()
    found.push(...page.map(({ content }) => content))
    await setImmediate()
  }
  return Buffer.concat(found)
}

/**
 * Locks the tenant's knowledge and replaces its snapshot. Returns false, and changes nothing, where the
 * knowledge has another version: the snapshot may have words that were erased since. The lock lasts until
 * the transaction ends, so the caller awaits nothing else in it.
 */
export async function replaceSnapshot(
  db: TxDb,
  tenant: TenantKey & { version: number },
  snapshot: { stamp: string; content: Buffer; storedAt: number },
): Promise<boolean> {
  const { workspaceId, tenantId, version } = tenant
  const { numAffectedRows = 0n } = await sql`
    update tenants set knowledge_version = knowledge_version
    where workspace_id = ${workspaceId} and id = ${tenantId}
      and knowledge_version = ${version}`.execute(db)
  if (numAffectedRows === 0n) return false
  await deleteSnapshot(db, tenant)
  const { content, stamp, storedAt } = snapshot
  const parts = Math.ceil(content.length / PART_BYTES)
  for (let part = 0; part < parts; part += 1) {
    const bytes = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    await db
      .insertInto('index_snapshots')
      .values({
        tenant_id: tenantId,
        part,
        workspace_id: workspaceId,
        stamp,
        parts,
        bytes: bytes.length,
        stored_at: storedAt,
        content: bytes,
      })
      .execute()
    // SQLite works on this thread: others have their turn between two parts.
    await setImmediate()
  }
  return true
}

/** Deletes the snapshot of a tenant; with a `stamp`, only the snapshot that has it. Idempotent. */
export async function deleteSnapshot(db: Db, tenant: TenantKey, stamp?: string): Promise<void> {
  let statement = db
    .deleteFrom('index_snapshots')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
  if (stamp !== undefined) statement = statement.where('stamp', '=', stamp)
  await statement.execute()
}

/** Deletes the oldest snapshots of the installation, of any workspace, beyond `maxBytes` in all. Idempotent. */
export async function evictSnapshots(db: Db, maxBytes: number): Promise<void> {
  await sql`
    delete from index_snapshots where tenant_id in (
      select tenant_id from (
        select tenant_id, sum(sum(bytes)) over (order by max(stored_at) desc, tenant_id) as total
        from index_snapshots group by tenant_id
      ) as newest
      where total > ${maxBytes}
    )`.execute(db)
}
