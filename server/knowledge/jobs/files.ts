import { type Context, transaction } from '../../context.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import type { Upload } from '../../http/requests/uploads.ts'
import { newId } from '../../lib/ids.ts'
import {
  addDocument,
  type AuditedTenantRef,
  recordDocumentAudit,
  writePassages,
} from '../documents/documents.ts'
import { assertCapacity, findCapacityProblem } from '../documents/limits.ts'
import { enqueue, type Job, knowledgeJobs } from '../documents/job-queue.ts'
import type { ParseResult } from '../parsers/parse.ts'
import type { ParserPool } from '../parsers/pool.ts'
import { detectType, UnreadableDocument } from '../parsers/detect.ts'
import { UploadFields } from '../schema.ts'
import { countFiles, deleteFile, findFile, insertFile } from '../documents/store.files.ts'
import {
  type DocumentRow,
  findJobDocument,
  insertDocument,
  lockKnowledge,
  NEVER_SYNCED,
  updateDocument,
} from '../documents/store.ts'

/** Text up to this size is chunked in the request, as pasted text is. */
const MAX_INLINE_BYTES = 256 * 1024
const MAX_TITLE_LENGTH = 300
/** Files of a workspace that wait for the worker, some 10 MB each at most. */
const MAX_WAITING_FILES = 100

/**
 * Stores an uploaded file, its kind detected from its bytes. Short text is ready when this returns;
 * any other file waits for a worker. Throws 422 for a file of an unsupported kind, 409 at a limit, and
 * 402 at a quota of the plan.
 */
export async function addFile(
  ctx: Context,
  tenant: AuditedTenantRef,
  upload: Upload,
): Promise<DocumentRow> {
  const { title, url } = upload.fieldsAs(UploadFields)
  const detected = detectUpload(upload)
  const name = upload.fileName
  if (detected.text !== undefined && upload.bytes.length <= MAX_INLINE_BYTES) {
    return addDocument(ctx, tenant, {
      kind: detected.kind,
      title: title ?? parseTitle(name),
      content: detected.text,
      url: url ?? null,
      fileName: name,
      bytes: upload.bytes.length,
    })
  }
  const now = ctx.now()
  const row: DocumentRow = {
    ...NEVER_SYNCED,
    id: newId('doc'),
    workspace_id: tenant.workspaceId,
    tenant_id: tenant.tenantId,
    kind: detected.kind,
    title: title ?? parseTitle(name),
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
  const { workspaceId } = tenant
  await transaction(ctx, async (tx) => {
    await assertCapacity(tx, tenant, { documents: 1, passages: 1, bytes: row.bytes })
    if ((await countFiles(tx.db, workspaceId)) >= MAX_WAITING_FILES) {
      throw new AppError(
        'conflict',
        `At most ${MAX_WAITING_FILES} files of a workspace can be queued. Send more when some are ready.`,
      )
    }
    await insertDocument(tx.db, row)
    await recordDocumentAudit(tx, tenant, { action: 'document.added', row })
    await insertFile(tx.db, { documentId: row.id, workspaceId, bytes: upload.bytes })
    await enqueue(tx.db, { documentId: row.id, workspaceId, kind: 'file', at: now })
    knowledgeJobs.notify(tx)
  })
  return row
}

/** Parses an uploaded file and deletes its bytes, whether or not parsing succeeds. */
export async function readFileJob(ctx: Context, job: Job, parser: ParserPool): Promise<void> {
  const row = await findJobDocument(ctx.db, job)
  const bytes = await findFile(ctx.db, job)
  if (!row || !bytes) {
    await knowledgeJobs.complete(ctx.db, job, ctx.now())
    return
  }
  await finishFile(ctx, job, row, await parser.parse({ bytes, title: row.title }))
}

/** Saves the passages of a file, or its problem, and completes the job, in one transaction. */
export async function finishFile(
  ctx: Context,
  job: Job,
  row: { id: string; workspace_id: string; tenant_id: string },
  result: ParseResult,
): Promise<void> {
  const id = { id: row.id, workspaceId: row.workspace_id }
  const tenant = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
  const passages = 'document' in result ? result.document.passages : []
  await transaction(ctx, async (tx) => {
    await lockKnowledge(tx.db, tenant.workspaceId, tenant.tenantId)
    // The result of a worker that lost its lease is dropped.
    if (!(await knowledgeJobs.complete(tx.db, job, tx.now()))) return
    await deleteFile(tx.db, job)
    // The bytes were counted when the file arrived.
    const more = { passages: passages.length, bytes: 0 }
    const problem =
      'problem' in result ? result.problem : ((await findCapacityProblem(tx, tenant, more)) ?? null)
    await updateDocument(tx.db, id, {
      state: problem === null ? 'ready' : 'failed',
      error: problem,
      passage_count: problem === null ? passages.length : 0,
      // Nothing of a failed file is stored.
      ...(problem === null ? {} : { bytes: 0 }),
      updated_at: tx.now(),
    })
    if (problem === null) await writePassages(tx, row, passages)
  })
}

function detectUpload(upload: Upload) {
  try {
    return detectType(upload.bytes)
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    throw invalidFields([{ path: '/file', message: error.message }])
  }
}

/** Returns the file name without its extension. */
function parseTitle(fileName: string): string {
  const stem = fileName.replace(/\.[a-z0-9]{1,8}$/i, '').trim()
  return [...(stem || fileName || 'Document')].slice(0, MAX_TITLE_LENGTH).join('')
}
