import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'
import {
  type DocumentRow,
  type JobDocument,
  NEVER_SYNCED,
  LIST_COLUMNS,
} from '../documents/store.ts'

const PAGES_PER_STATEMENT = 50

/** Lists the pages of a sitemap, oldest first. */
export async function listPages(
  db: Db,
  sitemap: { id: string; workspaceId: string },
): Promise<JobDocument[]> {
  return db
    .selectFrom('documents')
    .select([...LIST_COLUMNS, 'fingerprint', 'etag', 'last_modified'])
    .where('workspace_id', '=', sitemap.workspaceId)
    .where('parent_id', '=', sitemap.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Inserts pages that a sitemap lists, in state `queued`. */
export async function insertPages(
  db: Db,
  sitemap: JobDocument,
  pages: readonly { id: string; url: string }[],
  now: number,
): Promise<void> {
  const rows = pages.map(({ id, url }): DocumentRow => ({
    ...NEVER_SYNCED,
    id,
    workspace_id: sitemap.workspace_id,
    tenant_id: sitemap.tenant_id,
    parent_id: sitemap.id,
    kind: 'url',
    title: url.slice(0, 300),
    url,
    content: '',
    state: 'queued',
    error: null,
    passage_count: 0,
    bytes: 0,
    created_at: now,
    updated_at: now,
  }))
  for (let at = 0; at < rows.length; at += PAGES_PER_STATEMENT) {
    await db
      .insertInto('documents')
      .values(rows.slice(at, at + PAGES_PER_STATEMENT))
      .execute()
  }
}

/** Deletes pages with their passages. */
export async function deletePages(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += PAGES_PER_STATEMENT) {
    await db
      .deleteFrom('documents')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', ids.slice(at, at + PAGES_PER_STATEMENT))
      .execute()
  }
}

/** Totals over the pages of a sitemap. */
export interface PageCounts {
  parent_id: string
  total: number
  ready: number
  failed: number
  passages: number
  bytes: number
}

export async function countPages(
  db: Db,
  workspaceId: string,
  sitemapIds: readonly string[],
): Promise<PageCounts[]> {
  if (sitemapIds.length === 0) return []
  const { rows } = await sql<PageCounts>`
    select parent_id, count(*) as total,
      cast(sum(case when state = 'ready' then 1 else 0 end) as bigint) as ready,
      cast(sum(case when state = 'failed' then 1 else 0 end) as bigint) as failed,
      cast(sum(passage_count) as bigint) as passages,
      cast(sum(bytes) as bigint) as bytes
    from documents
    where workspace_id = ${workspaceId} and parent_id in (${sql.join(sitemapIds)})
    group by parent_id`.execute(db)
  return rows
}

/** Returns the time of the next sync by document; documents without a job are left out. */
export async function findNextSyncs(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('knowledge_jobs')
    .select(['document_id', 'due_at'])
    .where('workspace_id', '=', workspaceId)
    .where('document_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.document_id, row.due_at]))
}
