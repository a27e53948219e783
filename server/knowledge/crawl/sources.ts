import { type Context, transaction } from '../../context.ts'
import { checkTarget, BLOCK_MESSAGES, targetPolicy } from '../../net/target.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { type AuditedTenantRef, recordDocumentAudit } from '../documents/documents.ts'
import { assertCapacity } from '../documents/limits.ts'
import { enqueue, knowledgeJobs } from '../documents/job-queue.ts'
import type { DocumentPatch, NewSource } from '../schema.ts'
import {
  type DocumentRow,
  findDocument,
  insertDocument,
  lockKnowledge,
  NEVER_SYNCED,
  bumpKnowledgeVersion,
  updateDocument,
} from '../documents/store.ts'

const DEFAULT_SYNC_HOURS = 24
const MAX_TITLE_LENGTH = 300

/** Whether a document is a page or a sitemap, which can be synced. */
export function isSource({ kind }: { kind: string }): boolean {
  return kind === 'url' || kind === 'sitemap'
}

/** Adds a page or a sitemap and enqueues its first sync. Throws 422 for a private address, 409 at a limit, 402 at a quota. */
export async function addSource(
  ctx: Context,
  tenant: AuditedTenantRef,
  source: NewSource,
): Promise<DocumentRow> {
  const url = parseSourceUrl(ctx, source.url)
  const now = ctx.now()
  const row: DocumentRow = {
    ...NEVER_SYNCED,
    id: newId('doc'),
    workspace_id: tenant.workspaceId,
    tenant_id: tenant.tenantId,
    kind: source.kind,
    title: source.title ?? url.slice(0, MAX_TITLE_LENGTH),
    url,
    content: '',
    state: 'queued',
    error: null,
    passage_count: 0,
    bytes: 0,
    sync_hours: source.sync_hours === undefined ? DEFAULT_SYNC_HOURS : source.sync_hours,
    created_at: now,
    updated_at: now,
  }
  const { workspaceId } = tenant
  await transaction(ctx, async (tx) => {
    await assertCapacity(tx, tenant, { documents: 1, passages: 1, bytes: 1 })
    await insertDocument(tx.db, row)
    await recordDocumentAudit(tx, tenant, { action: 'document.added', row })
    await enqueue(tx.db, { documentId: row.id, workspaceId, kind: 'web', at: now })
    knowledgeJobs.notify(tx)
  })
  return row
}

/**
 * Enqueues a sync of a page or a sitemap; a page of a sitemap is synced with the whole sitemap. Throws
 * 409 for a document that was pasted or uploaded. Idempotent.
 */
export async function requestSync(
  ctx: Context,
  row: DocumentRow,
  actor: Actor,
): Promise<DocumentRow> {
  if (!isSource(row)) {
    throw new AppError('conflict', 'Only pages and sitemaps can be synced. Send a new version.')
  }
  const workspaceId = row.workspace_id
  const id = row.parent_id ?? row.id
  return transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, workspaceId, row.tenant_id)
    await enqueue(tx.db, { documentId: id, workspaceId, kind: 'web', at: tx.now() })
    await recordDocumentAudit(tx, { actor }, { action: 'document.synced', row })
    if (row.state !== 'indexing')
      await updateDocument(tx.db, { id, workspaceId }, { state: 'queued' })
    knowledgeJobs.notify(tx)
    const tenant = { workspaceId, tenantId: row.tenant_id }
    return (await findDocument(tx.db, tenant, row.id)) ?? row
  })
}

/**
 * Changes the title, URL or sync interval of a page or a sitemap. A new URL is synced now. Throws 422
 * for fields that a page inherits from its sitemap.
 */
export async function changeSource(
  ctx: Context,
  row: DocumentRow,
  change: DocumentPatch,
  actor: Actor,
): Promise<DocumentRow> {
  const { id, workspace_id: workspaceId, tenant_id: tenantId } = row
  assertFieldsOfKind(row, change)
  const url = typeof change.url === 'string' ? parseSourceUrl(ctx, change.url) : row.url
  const hours = change.sync_hours === undefined ? row.sync_hours : change.sync_hours
  const isMoved = url !== row.url
  return transaction(ctx, async (tx) => {
    const now = tx.now()
    await bumpKnowledgeVersion(tx.db, workspaceId, tenantId)
    await recordDocumentAudit(
      tx,
      { actor },
      { action: 'document.changed', row, fields: Object.keys(change) },
    )
    await updateDocument(
      tx.db,
      { id, workspaceId },
      {
        title: change.title ?? row.title,
        url,
        sync_hours: hours,
        updated_at: now,
        ...(isMoved ? { state: 'queued', fingerprint: null, etag: null, last_modified: null } : {}),
      },
    )
    if (isMoved || (hours !== null && hours !== row.sync_hours)) {
      const at = isMoved ? now : now + (hours ?? 0) * HOUR_MS
      await enqueue(tx.db, { documentId: id, workspaceId, kind: 'web', at })
      knowledgeJobs.notify(tx)
    }
    return (await findDocument(tx.db, { workspaceId, tenantId }, id)) ?? row
  })
}

function assertFieldsOfKind(row: DocumentRow, change: DocumentPatch): void {
  const isPage = row.parent_id !== null
  const message = 'cannot be changed for what is read from the web'
  const refused = [
    ...(change.content === undefined ? [] : ['/content']),
    ...(change.url === null || (isPage && change.url !== undefined) ? ['/url'] : []),
    ...(isPage && change.sync_hours !== undefined ? ['/sync_hours'] : []),
  ]
  if (refused.length > 0) throw invalidFields(refused.map((path) => ({ path, message })))
}

/** Returns the normalized URL. Throws 422 for a URL that the target policy refuses. */
export function parseSourceUrl(ctx: Context, address: string): string {
  const url = URL.parse(address)
  if (url) url.hash = ''
  const checked = checkTarget(url?.href ?? address, targetPolicy(ctx.config))
  if (checked.ok) return checked.url.href
  throw invalidFields([{ path: '/url', message: BLOCK_MESSAGES[checked.refusal] }])
}
