import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../lib/cursor.ts'
import { keysetBefore } from '../../storage/keyset.ts'
import type { Db, Tables } from '../../storage/database.ts'
import type { IndexedPassage } from '../search/search-index.ts'
import { deleteSnapshot } from '../snapshots/store.ts'

export type DocumentRow = Selectable<Tables['documents']>
export type PassageRow = Selectable<Tables['passages']>
/** A document without its content, as jobs need it. */
export type JobDocument = Omit<DocumentRow, 'content'>
export type ShownDocument = Pick<DocumentRow, (typeof LIST_COLUMNS)[number]>

const PASSAGE_OVERHEAD_BYTES = 600
/** Keeps a statement under SQLite's and Postgres' limits of bound values. */
const ROWS_PER_INSERT = 200
/** Some 3 ms of SQLite. */
const PASSAGES_PER_PAGE = 1_000
/** The columns of a list of documents. */
export const LIST_COLUMNS = [
  'id',
  'workspace_id',
  'tenant_id',
  'kind',
  'parent_id',
  'title',
  'url',
  'file_name',
  'state',
  'error',
  'passage_count',
  'bytes',
  'created_at',
  'updated_at',
  'synced_at',
  'sync_hours',
] as const

/** Column values of a document before its first sync. */
export const NEVER_SYNCED = {
  parent_id: null,
  file_name: null,
  synced_at: null,
  sync_hours: null,
  fingerprint: null,
  etag: null,
  last_modified: null,
} as const

export async function insertDocument(db: Db, row: DocumentRow): Promise<void> {
  await db.insertInto('documents').values(row).execute()
}

/** Updates columns of a document. */
export async function updateDocument(
  db: Db,
  document: { id: string; workspaceId: string },
  values: Partial<Omit<DocumentRow, 'id' | 'workspace_id' | 'tenant_id'>>,
): Promise<void> {
  await db
    .updateTable('documents')
    .set(values)
    .where('workspace_id', '=', document.workspaceId)
    .where('id', '=', document.id)
    .execute()
}

/** Replaces the passages of a document. */
export async function replacePassages(
  db: Db,
  document: { id: string; workspaceId: string },
  rows: readonly PassageRow[],
): Promise<void> {
  await db
    .deleteFrom('passages')
    .where('workspace_id', '=', document.workspaceId)
    .where('document_id', '=', document.id)
    .execute()
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await db
      .insertInto('passages')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute()
  }
}

export async function deleteDocument(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('documents')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks a tenant's knowledge until the transaction ends. Callers take this lock before any other one,
 * in the lock order of the removal of a tenant, so that no deadlock arises.
 */
export async function lockKnowledge(db: Db, workspaceId: string, tenantId: string): Promise<void> {
  await sql`
    update tenants set knowledge_version = knowledge_version
    where workspace_id = ${workspaceId} and id = ${tenantId}`.execute(db)
}

/** Counts a tenant's documents (pages of sitemaps included) and passages. */
export async function measureKnowledge(
  db: Db,
  workspaceId: string,
  tenantId: string,
): Promise<{ documents: number; passages: number }> {
  const { rows } = await sql<{ documents: number; passages: number }>`
    select count(*) as documents, cast(coalesce(sum(passage_count), 0) as bigint) as passages
    from documents where workspace_id = ${workspaceId} and tenant_id = ${tenantId}`.execute(db)
  return rows[0] ?? { documents: 0, passages: 0 }
}

/** Sums the sources of a workspace's documents, in bytes. */
export async function sumDocumentBytes(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as bytes
    from documents where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Counts the passages of a workspace's documents. */
export async function sumPassages(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ passages: number }>`
    select cast(coalesce(sum(passage_count), 0) as bigint) as passages
    from documents where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]?.passages ?? 0
}

/** Returns the text of a file or a page, joined from its passages. */
export async function findPassageText(
  db: Db,
  document: { id: string; workspaceId: string },
): Promise<string> {
  const rows = await db
    .selectFrom('passages')
    .select(['heading', 'content'])
    .where('workspace_id', '=', document.workspaceId)
    .where('document_id', '=', document.id)
    .orderBy('ordinal')
    .execute()
  return rows.map(({ heading, content }) => `${heading}\n\n${content}`).join('\n\n')
}

/** Lists the passages of a document; `undefined` for a document of another tenant. */
export async function listDocumentPassages(
  db: Db,
  document: { workspaceId: string; tenantId: string; id: string },
  limit: number,
): Promise<{ heading: string; content: string }[] | undefined> {
  const { workspaceId, tenantId, id } = document
  const owner = await db
    .selectFrom('documents')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!owner) return undefined
  return db
    .selectFrom('passages')
    .select(['heading', 'content'])
    .where('workspace_id', '=', workspaceId)
    .where('document_id', '=', id)
    .orderBy('ordinal')
    .limit(limit)
    .execute()
}

const MAX_HEADINGS = 300

/** Lists headings of a tenant's passages, by document and ordinal; the first 300. */
export async function listHeadings(
  db: Db,
  { workspaceId, tenantId }: { workspaceId: string; tenantId: string },
): Promise<{ documentId: string; heading: string }[]> {
  return db
    .selectFrom('passages')
    .select(['document_id as documentId', 'heading'])
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where('heading', '<>', '')
    .orderBy('document_id')
    .orderBy('ordinal')
    .limit(MAX_HEADINGS)
    .execute()
}

/** Shown in the documents of a tenant, the search index of which exceeds its memory bound. */
const UNSEARCHABLE =
  'The knowledge of this tenant is too large to be searched. Remove documents that are not needed.'

/** Shows in every ready document of a tenant that its knowledge cannot be searched. Idempotent. */
export async function markUnsearchable(
  db: Db,
  workspaceId: string,
  tenantId: string,
): Promise<void> {
  await db
    .updateTable('documents')
    .set({ error: UNSEARCHABLE })
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'ready')
    .where('error', 'is', null)
    .execute()
}

/** Returns a lower bound of the memory of a tenant's passages in a search index, in bytes. */
export async function measurePassages(
  db: Db,
  workspaceId: string,
  tenantId: string,
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(coalesce(sum(${PASSAGE_OVERHEAD_BYTES}
      + 2 * (length(content) + length(heading) + coalesce(length(anchor), 0))), 0) as bigint) as bytes
    from passages
    where workspace_id = ${workspaceId} and tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * Bumps the knowledge version, which invalidates the tenant's search index in every process, and deletes the
 * stored one, which has words of what may have been erased.
 */
export async function bumpKnowledgeVersion(
  db: Db,
  workspaceId: string,
  tenantId: string,
): Promise<void> {
  await sql`
    update tenants set knowledge_version = knowledge_version + 1
    where workspace_id = ${workspaceId} and id = ${tenantId}`.execute(db)
  await db
    .updateTable('documents')
    .set({ error: null })
    .where('workspace_id', '=', workspaceId)
    .where('tenant_id', '=', tenantId)
    .where('error', '=', UNSEARCHABLE)
    .execute()
  // After the update, whose lock a process that stores a snapshot waits for.
  await deleteSnapshot(db, { workspaceId, tenantId })
}

/** Lists the pages of a sitemap; without `parentId`, the documents that are not pages of a sitemap. */
export async function listDocuments(
  db: Db,
  tenant: { workspaceId: string; tenantId: string; parentId: string | undefined },
  page: { limit: number; after: Cursor | undefined },
): Promise<ShownDocument[]> {
  return db
    .selectFrom('documents')
    .select(LIST_COLUMNS)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where('parent_id', tenant.parentId === undefined ? 'is' : '=', tenant.parentId ?? null)
    .where(keysetBefore('created_at', page.after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

export async function findDocument(
  db: Db,
  tenant: { workspaceId: string; tenantId: string },
  id: string,
): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('documents')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the document of a job; undefined when the document was removed. */
export async function findJobDocument(
  db: Db,
  job: { document_id: string; workspace_id: string },
): Promise<JobDocument | undefined> {
  return db
    .selectFrom('documents')
    .select([...LIST_COLUMNS, 'fingerprint', 'etag', 'last_modified'])
    .where('workspace_id', '=', job.workspace_id)
    .where('id', '=', job.document_id)
    .executeTakeFirst()
}

/** Returns the workspace of a document of any workspace. */
export async function findDocumentOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

/** Returns the workspace of a tenant of any workspace, and the tenant's knowledge version. */
export async function findTenantPlace(
  db: Db,
  tenantId: string,
): Promise<{ workspace_id: string; knowledge_version: number } | undefined> {
  return db
    .selectFrom('tenants')
    .select(['workspace_id', 'knowledge_version'])
    .where('id', '=', tenantId)
    .executeTakeFirst()
}

/** Returns the title of the tenant's document with this address. */
export async function findTitleByUrl(
  db: Db,
  tenant: { workspaceId: string; tenantId: string },
  url: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('documents')
    .select('title')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('tenant_id', '=', tenant.tenantId)
    .where('url', '=', url)
    .limit(1)
    .executeTakeFirst()
  return row?.title
}

/**
 * Lists every passage of a tenant, by document and ordinal, in pages: SQLite reads on this thread. A change
 * between two pages is seen in part, and has a later version of the knowledge.
 */
export async function listPassages(
  db: Db,
  workspaceId: string,
  tenantId: string,
): Promise<IndexedPassage[]> {
  const passages: IndexedPassage[] = []
  let last = { doc_id: '', ordinal: -1 }
  for (;;) {
    const { rows } = await sql<IndexedPassage & { ordinal: number }>`
      select passages.document_id as doc_id, documents.title, documents.url, passages.heading,
        passages.anchor, passages.content as text, passages.ordinal
      from passages join documents on documents.id = passages.document_id
      where passages.workspace_id = ${workspaceId} and passages.tenant_id = ${tenantId}
        and (passages.document_id, passages.ordinal) > (${last.doc_id}, ${last.ordinal})
      order by passages.document_id, passages.ordinal limit ${PASSAGES_PER_PAGE}`.execute(db)
    for (const row of rows) passages.push(row)
    const end = rows.at(-1)
    if (!end || rows.length < PASSAGES_PER_PAGE) return passages
    last = end
    await setImmediate()
  }
}
