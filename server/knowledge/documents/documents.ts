import { type Context, type Transaction, transaction } from '../../context.ts'
import { invalidFields } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { AuditAction } from '../../platform/schema.ts'
import { assertCapacity } from './limits.ts'
import { type Passage, splitDocument } from '../parsers/chunk.ts'
import { UnreadableDocument } from '../parsers/detect.ts'
import { embedLater } from '../vectors/embedder.ts'
import { DocumentKind, type DocumentPatch, type PastedDocument } from '../schema.ts'
import {
  type DocumentRow,
  deleteDocument,
  insertDocument,
  NEVER_SYNCED,
  replacePassages,
  bumpKnowledgeVersion,
  updateDocument,
} from './store.ts'

export interface TenantRef {
  workspaceId: string
  tenantId: string
}

/** A tenant and the version of its knowledge that an answer uses. */
export interface KnowledgeRef extends TenantRef {
  version: number
}

/** A tenant and the actor of a change; undefined when the product makes the change. */
export interface AuditedTenantRef extends TenantRef {
  actor?: Actor
}

/**
 * Stores a document with its passages and bumps the knowledge version. Throws 422 when the content
 * is not of its `kind`, 409 when the tenant is at a limit, and 402 at a quota of the plan.
 */
export async function addDocument(
  ctx: Context,
  tenant: AuditedTenantRef,
  document: PastedDocument & { fileName?: string; bytes?: number },
): Promise<DocumentRow> {
  const passages = split(document)
  const now = ctx.now()
  const row: DocumentRow = {
    ...NEVER_SYNCED,
    id: newId('doc'),
    workspace_id: tenant.workspaceId,
    tenant_id: tenant.tenantId,
    kind: document.kind,
    title: document.title,
    url: document.url ?? null,
    file_name: document.fileName ?? null,
    content: document.content,
    state: 'ready',
    error: null,
    passage_count: passages.length,
    bytes: document.bytes ?? Buffer.byteLength(document.content),
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    const { bytes } = row
    await assertCapacity(tx, tenant, { documents: 1, passages: passages.length, bytes })
    await insertDocument(tx.db, row)
    await recordDocumentAudit(tx, tenant, { action: 'document.added', row })
    await writePassages(tx, row, passages)
  })
  return row
}

/**
 * Changes a document, and chunks it again if its content is stored. Throws 422 for a change of the
 * content of a file or a page.
 */
export async function changeDocument(
  ctx: Context,
  row: DocumentRow,
  change: DocumentPatch,
  actor: Actor,
): Promise<DocumentRow> {
  const next: DocumentRow = {
    ...row,
    title: change.title ?? row.title,
    content: change.content ?? row.content,
    url: change.url === undefined ? row.url : change.url,
    updated_at: ctx.now(),
  }
  const { id, workspace_id: workspaceId, tenant_id: tenantId } = row
  if (change.sync_hours !== undefined) {
    throw invalidFields([{ path: '/sync_hours', message: 'is for pages and sitemaps only' }])
  }
  const passages = row.content === '' ? undefined : split(parsePasted(next))
  if (passages) {
    next.passage_count = passages.length
    if (change.content !== undefined) next.bytes = Buffer.byteLength(next.content)
  } else if (change.content !== undefined) {
    throw invalidFields([
      { path: '/content', message: 'was read from elsewhere: send the file again, or sync' },
    ])
  }
  await transaction(ctx, async (tx) => {
    if (passages) {
      const more = {
        documents: 0,
        passages: next.passage_count - row.passage_count,
        bytes: next.bytes - row.bytes,
      }
      await assertCapacity(tx, { workspaceId, tenantId }, more)
    } else await bumpKnowledgeVersion(tx.db, workspaceId, tenantId)
    await recordDocumentAudit(
      tx,
      { actor },
      { action: 'document.changed', row, fields: Object.keys(change) },
    )
    const { title, content, url, bytes, passage_count, updated_at } = next
    const values = { title, content, url, bytes, passage_count, updated_at }
    await updateDocument(tx.db, { id, workspaceId }, passages ? values : { title, url, updated_at })
    if (passages) await writePassages(tx, next, passages)
  })
  return next
}

/** Deletes a document with its passages; for a sitemap, its pages too. */
export async function removeDocument(ctx: Context, row: DocumentRow, actor: Actor): Promise<void> {
  await transaction(ctx, async (tx) => {
    await bumpKnowledgeVersion(tx.db, row.workspace_id, row.tenant_id)
    await deleteDocument(tx.db, row.workspace_id, row.id)
    await recordDocumentAudit(tx, { actor }, { action: 'document.removed', row })
  })
}

/** Records a change of a document in the audit log, without the document's content. */
export async function recordDocumentAudit(
  tx: Transaction,
  { actor }: Pick<AuditedTenantRef, 'actor'>,
  { action, row, fields }: { action: AuditAction; row: DocumentRow; fields?: string[] },
): Promise<void> {
  if (!actor) return
  const { id, kind, tenant_id } = row
  await recordAudit(tx, row.workspace_id, {
    actor,
    action,
    subject: { type: 'document', id },
    details: { kind, tenant_id, ...(fields ? { fields } : {}) },
  })
}

function parsePasted({ kind, title, content }: DocumentRow) {
  return { kind: DocumentKind.parse(kind), title, content }
}

function split(document: Pick<PastedDocument, 'kind' | 'title' | 'content'>): Passage[] {
  try {
    return splitDocument(document)
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    throw invalidFields([{ path: '/content', message: error.message }])
  }
}

/** Replaces the passages of a document and bumps the knowledge version, in one transaction. */
export async function writePassages(
  tx: Transaction,
  row: { id: string; workspace_id: string; tenant_id: string },
  passages: readonly Passage[],
): Promise<void> {
  await replacePassages(
    tx.db,
    { id: row.id, workspaceId: row.workspace_id },
    passages.map((passage) => ({
      document_id: row.id,
      ordinal: passage.ordinal,
      workspace_id: row.workspace_id,
      tenant_id: row.tenant_id,
      heading: passage.heading,
      anchor: passage.anchor,
      content: passage.text,
    })),
  )
  await bumpKnowledgeVersion(tx.db, row.workspace_id, row.tenant_id)
  await embedLater(tx, { workspaceId: row.workspace_id, tenantId: row.tenant_id })
}
