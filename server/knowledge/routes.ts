import { z } from 'zod'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { acceptUploads, Upload } from '../http/requests/uploads.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import {
  addDocument,
  changeDocument,
  type AuditedTenantRef,
  removeDocument,
} from './documents/documents.ts'
import { addFile } from './jobs/files.ts'
import { DocumentPath, loadDocument, readContent } from './documents/load-document.ts'
import { loadTenant, TenantPath } from './documents/load-tenant.ts'
import {
  Document,
  DocumentPatch,
  FoundPassage,
  MAX_FILE_BYTES,
  NewDocument,
  SearchQuery,
  UploadFields,
} from './schema.ts'
import { findPassages } from './find-passages.ts'
import { passageRoutes } from './routes.passages.ts'
import { unansweredRoutes } from './unanswered/routes.ts'
import { serializeDocuments, serializeDocument } from './serialize.ts'
import { addSource, changeSource, isSource, requestSync } from './crawl/sources.ts'
import { type DocumentRow, listDocuments } from './documents/store.ts'

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Knowledge']
const DocumentsQuery = PageQuery.extend({ parent_id: z.string().max(64).optional() })

const create = {
  config: { ...config, mayFail: ['conflict', 'quota_exceeded'] },
  schema: {
    summary: 'Add a document: pasted, or from the web',
    description: 'A form with a file is accepted too, as by `knowledge/files`.',
    tags,
    params: TenantPath,
    body: NewDocument,
    response: { 201: Document },
  },
} as const

const upload = {
  config: {
    ...config,
    form: UploadFields,
    mayFail: ['conflict', 'quota_exceeded', 'validation_failed'],
  },
  schema: {
    summary: 'Add a file: Markdown, HTML, text, PDF or .docx',
    description: 'The file is the field `file` of the form; `title` and `url` may be beside it.',
    tags,
    params: TenantPath,
    response: { 201: Document },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List documents, newest first; with `parent_id` the pages of a sitemap',
    tags,
    params: TenantPath,
    querystring: DocumentsQuery,
    response: { 200: pageSchema(Document) },
  },
} as const

const read = {
  config,
  schema: {
    summary: 'One document',
    tags,
    params: DocumentPath,
    response: { 200: Document.extend({ content: z.string() }) },
  },
} as const

const change = {
  config: { ...config, mayFail: ['conflict', 'quota_exceeded'] },
  schema: {
    summary: 'Change a document',
    tags,
    params: DocumentPath,
    body: DocumentPatch,
    response: { 200: Document },
  },
} as const

const sync = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Sync a page or a sitemap now',
    tags,
    params: DocumentPath,
    response: { 202: Document },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Delete a document',
    tags,
    params: DocumentPath,
    response: { 204: z.null() },
  },
} as const

const find = {
  config,
  schema: {
    summary: 'Search the passages that an answer would use',
    tags,
    params: TenantPath,
    querystring: SearchQuery,
    response: { 200: z.object({ data: z.array(FoundPassage) }) },
  },
} as const

/** Routes of a tenant's documents and of the search in them. */
export async function knowledgeRoutes(app: App, ctx: Context): Promise<void> {
  const base = '/api/v1/tenants/:tenant_id/knowledge'

  await app.register(async (scope: App) => {
    await acceptUploads(scope, MAX_FILE_BYTES)
    scope.post(base, create, async (request, reply) => {
      const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
      const audited = { ...tenant, actor: actorOf(request) }
      return reply
        .code(201)
        .send(await serializeDocument(ctx, await addFromBody(ctx, audited, request.body)))
    })

    scope.post(`${base}/files`, upload, async (request, reply) => {
      const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
      const form: unknown = request.body
      if (!(form instanceof Upload)) {
        throw new AppError(
          'unsupported_media_type',
          'Send the file as `multipart/form-data`, in the field `file`.',
        )
      }
      const row = await addFile(ctx, { ...tenant, actor: actorOf(request) }, form)
      return reply.code(201).send(await serializeDocument(ctx, row))
    })
  })

  app.get(base, list, async (request) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const { limit, cursor, parent_id: parentId } = request.query
    const rows = await listDocuments(ctx.db, { ...tenant, parentId }, { limit, after: cursor })
    const serialize = await serializeDocuments(ctx, tenant.workspaceId, rows)
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serialize)
  })

  app.get(`${base}/:doc_id`, read, async (request) => {
    const row = await loadDocument(ctx, requireMember(request), request.params)
    return { ...(await serializeDocument(ctx, row)), content: await readContent(ctx, row) }
  })

  app.patch(`${base}/:doc_id`, change, async (request) => {
    const row = await loadDocument(ctx, requireMember(request), request.params)
    const changed = isSource(row) ? changeSource : changeDocument
    return serializeDocument(ctx, await changed(ctx, row, request.body, actorOf(request)))
  })

  app.post(`${base}/:doc_id/sync`, sync, async (request, reply) => {
    const row = await loadDocument(ctx, requireMember(request), request.params)
    return reply
      .code(202)
      .send(await serializeDocument(ctx, await requestSync(ctx, row, actorOf(request))))
  })

  app.delete(`${base}/:doc_id`, remove, async (request, reply) => {
    const row = await loadDocument(ctx, requireMember(request), request.params)
    await removeDocument(ctx, row, actorOf(request))
    return reply.code(204).send(null)
  })

  app.get('/api/v1/tenants/:tenant_id/search', find, async (request) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    return { data: await findPassages(ctx, tenant, request.query) }
  })

  passageRoutes(app, ctx)
  unansweredRoutes(app, ctx)
}

/** Adds a pasted document, a web source or a file; the schema or the form parser validated the body. */
function addFromBody(
  ctx: Context,
  tenant: AuditedTenantRef,
  body: NewDocument | Upload,
): Promise<DocumentRow> {
  if (body instanceof Upload) return addFile(ctx, tenant, body)
  return 'content' in body ? addDocument(ctx, tenant, body) : addSource(ctx, tenant, body)
}
