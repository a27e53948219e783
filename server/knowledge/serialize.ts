import type { Context } from '../context.ts'
import { isoTime } from '../http/pagination.ts'
import { Document } from './schema.ts'
import type { ShownDocument } from './documents/store.ts'
import { countPages, findNextSyncs, type PageCounts } from './crawl/store.ts'

/** Loads page counts and next syncs of a list of documents, and returns the serializer of a row. */
export async function serializeDocuments(
  ctx: Context,
  workspaceId: string,
  rows: readonly ShownDocument[],
): Promise<(row: ShownDocument) => Document> {
  const idsOf = (documents: readonly ShownDocument[]) => documents.map(({ id }) => id)
  const [counts, nextSyncs] = await Promise.all([
    countPages(ctx.db, workspaceId, idsOf(rows.filter(({ kind }) => kind === 'sitemap'))),
    findNextSyncs(ctx.db, workspaceId, idsOf(rows.filter((row) => row.sync_hours !== null))),
  ])
  const countsOf = new Map(counts.map((count) => [count.parent_id, count]))
  return (row) => serializeRow(row, countsOf.get(row.id), nextSyncs.get(row.id))
}

export async function serializeDocument(ctx: Context, row: ShownDocument): Promise<Document> {
  const serialize = await serializeDocuments(ctx, row.workspace_id, [row])
  return serialize(row)
}

function serializeRow(
  row: ShownDocument,
  count: PageCounts | undefined,
  nextSync: number | undefined,
): Document {
  const { total = 0, ready = 0, failed = 0, passages = 0, bytes = 0 } = count ?? {}
  return {
    doc_id: row.id,
    tenant_id: row.tenant_id,
    parent_id: row.parent_id,
    kind: Document.shape.kind.parse(row.kind),
    title: row.title,
    url: row.url,
    file_name: row.file_name,
    state: row.state,
    error: row.error,
    passages: row.passage_count + passages,
    bytes: row.bytes + bytes,
    pages: row.kind === 'sitemap' ? { total, ready, failed } : null,
    sync_hours: row.sync_hours,
    synced_at: row.synced_at === null ? null : isoTime(row.synced_at),
    next_sync_at: nextSync === undefined ? null : isoTime(nextSync),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
