import { type Context, type Transaction, transaction } from '../context.ts'
import { invalidFields } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Passage, splitDocument } from './passages.ts'
import { UnreadableDocument } from './readable.ts'
import { DocumentKind, type NewDocument } from './schema.ts'
import {
  type DocumentRow,
  deleteDocument,
  insertDocument,
  replacePassages,
  touchKnowledge,
  updateDocument,
} from './store.ts'

interface Place {
  workspaceId: string
  tenantId: string
}

/**
 * Stores a document with its passages; the next question is answered from them too. Throws 422
 * when the content is not what `kind` says.
 */
export async function addDocument(
  ctx: Context,
  place: Place,
  document: NewDocument,
): Promise<DocumentRow> {
  const passages = split(document)
  const now = ctx.now()
  const row: DocumentRow = {
    id: newId('doc'),
    workspace_id: place.workspaceId,
    tenant_id: place.tenantId,
    kind: document.kind,
    title: document.title,
    url: document.url ?? null,
    content: document.content,
    state: 'ready',
    error: null,
    passage_count: passages.length,
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    await insertDocument(tx.db, row)
    await writePassages(tx, row, passages)
  })
  return row
}

/** Changes a document and makes its passages anew. */
export async function changeDocument(
  ctx: Context,
  row: DocumentRow,
  change: {
    title?: string | undefined
    content?: string | undefined
    url?: string | null | undefined
  },
): Promise<DocumentRow> {
  const title = change.title ?? row.title
  const content = change.content ?? row.content
  const passages = split({ kind: DocumentKind.parse(row.kind), title, content })
  const next: DocumentRow = {
    ...row,
    title,
    content,
    url: change.url === undefined ? row.url : change.url,
    passage_count: passages.length,
    updated_at: ctx.now(),
  }
  await transaction(ctx, async (tx) => {
    await updateDocument(tx.db, next)
    await writePassages(tx, next, passages)
  })
  return next
}

/** Forgets a document and everything that was found in it. */
export async function removeDocument(ctx: Context, place: Place, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await deleteDocument(tx.db, place.workspaceId, id)
    await touchKnowledge(tx.db, place.workspaceId, place.tenantId)
  })
}

function split(document: Pick<NewDocument, 'kind' | 'title' | 'content'>): Passage[] {
  try {
    return splitDocument(document)
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    throw invalidFields([{ path: '/content', message: error.message }])
  }
}

async function writePassages(
  tx: Transaction,
  row: DocumentRow,
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
  await touchKnowledge(tx.db, row.workspace_id, row.tenant_id)
}
