import { type Context, transaction } from '../../context.ts'
import { invalidFields } from '../../http/errors.ts'
import type { Upload } from '../../http/uploads.ts'
import { newId } from '../../lib/ids.ts'
import { addDocument, type AuditedTenantRef, note, writePassages } from '../documents/documents.ts'
import { assertCapacity, remainingCapacity, TOO_MANY_PASSAGES } from '../documents/limits.ts'
import { enqueue, type Job, knowledgeJobs } from '../documents/job-queue.ts'
import type { ParseResult } from '../parsers/parse.ts'
import type { ParserPool } from '../parsers/pool.ts'
import { detectType, UnreadableDocument } from '../parsers/detect.ts'
import { UploadFields } from '../schema.ts'
import { deleteFile, findFile, insertFile } from '../documents/store.files.ts'
import {
  type DocumentRow,
  findJobDocument,
  insertDocument,
  NEVER_SYNCED,
  updateDocument,
} from '../documents/store.ts'

/** Text up to here is read at once, in the time that pasted text takes. */
const MAX_BYTES_AT_ONCE = 256 * 1024
const MAX_TITLE_LENGTH = 300

/**
 * Takes a file by what it holds. Short text is ready at once; everything else is kept until a
 * worker has read it. Throws 422 when it is of a kind that nobody could read.
 */
export async function addFile(
  ctx: Context,
  place: AuditedTenantRef,
  upload: Upload,
): Promise<DocumentRow> {
  const { title, url } = upload.fieldsAs(UploadFields)
  const found = recognised(upload)
  const name = upload.fileName
  if (found.text !== undefined && upload.bytes.length <= MAX_BYTES_AT_ONCE) {
    return addDocument(ctx, place, {
      kind: found.kind,
      title: title ?? titleOf(name),
      content: found.text,
      url: url ?? null,
      fileName: name,
      bytes: upload.bytes.length,
    })
  }
  const now = ctx.now()
  const row: DocumentRow = {
    ...NEVER_SYNCED,
    id: newId('doc'),
    workspace_id: place.workspaceId,
    tenant_id: place.tenantId,
    kind: found.kind,
    title: title ?? titleOf(name),
    url: url ?? null,
    file_name: name,
    content: '',
    state: 'queued',
    error: null,
    passage_count: 0,
    bytes: upload.bytes.length,
    created_at: now,
    updated_at: now,
  }
  const { workspaceId } = place
  await transaction(ctx, async (tx) => {
    await assertCapacity(tx, place, { documents: 1, passages: 1 })
    await insertDocument(tx.db, row)
    await note(tx, place, { action: 'document.added', row })
    await insertFile(tx.db, { documentId: row.id, workspaceId, bytes: upload.bytes })
    await enqueue(tx.db, { documentId: row.id, workspaceId, kind: 'file', at: now })
    knowledgeJobs.notify(tx)
  })
  return row
}

/** Reads an uploaded file and forgets its bytes, whatever came of it. */
export async function readFileJob(ctx: Context, job: Job, reader: ParserPool): Promise<void> {
  const row = await findJobDocument(ctx.db, job)
  const bytes = await findFile(ctx.db, job)
  if (!row || !bytes) {
    await knowledgeJobs.complete(ctx.db, job, ctx.now())
    return
  }
  await finishFile(ctx, job, row, await reader.read({ bytes, title: row.title }))
}

/** Keeps what was read of a file, or why it could not be, and ends its job: one commit. */
export async function finishFile(
  ctx: Context,
  job: Job,
  row: { id: string; workspace_id: string; tenant_id: string },
  result: ParseResult,
): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  const place = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  await transaction(ctx, async (tx) => {
    const room = await remainingCapacity(tx, place)
    // The result of a worker that lost its lease is dropped.
    if (!(await knowledgeJobs.complete(tx.db, job, tx.now()))) return
    await deleteFile(tx.db, job)
    const passages = 'document' in result ? result.document.passages : []
    const isOver = passages.length > room.passages
    const problem = 'problem' in result ? result.problem : isOver ? TOO_MANY_PASSAGES : null
    await updateDocument(tx.db, id, {
      state: problem === null ? 'ready' : 'failed',
      error: problem,
      passage_count: problem === null ? passages.length : 0,
      updated_at: tx.now(),
    })
    if (problem === null) await writePassages(tx, row, passages)
  })
}

function recognised(upload: Upload) {
  try {
    return detectType(upload.bytes)
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    throw invalidFields([{ path: '/file', message: error.message }])
  }
}

/** The name of the file without its ending. */
function titleOf(fileName: string): string {
  const stem = fileName.replace(/\.[a-z0-9]{1,8}$/i, '').trim()
  return [...(stem || fileName || 'Document')].slice(0, MAX_TITLE_LENGTH).join('')
}
