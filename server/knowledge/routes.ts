import { z } from 'zod'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, refuseForeign } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pages.ts'
import { acceptUploads, Upload } from '../http/uploads.ts'
import { pageOf } from '../lib/cursor.ts'
import { type UserCaller, memberOf } from '../platform/callers.ts'
import { addDocument, changeDocument, removeDocument } from './documents.ts'
import { addFile } from './files.ts'
import {
  Document,
  DocumentPatch,
  FoundPassage,
  MAX_FILE_BYTES,
  PastedDocument,
  SearchQuery,
  UploadFields,
} from './schema.ts'
import {
  type DocumentRow,
  type ShownDocument,
  findDocument,
  findDocumentOwner,
  findPassageText,
  findTenantPlace,
  listDocuments,
} from './store.ts'

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Knowledge']
const TenantPath = z.object({ tenant_id: z.string().max(64) })
const DocumentPath = TenantPath.extend({ doc_id: z.string().max(64) })

const create = {
  config: { ...config, form: UploadFields },
  schema: {
    summary: 'Add a document: pasted, or a file (Markdown, HTML, text, PDF, .docx)',
    tags,
    params: TenantPath,
    body: PastedDocument,
    response: { 201: Document },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List documents, new ones first',
    tags,
    params: TenantPath,
    querystring: PageQuery,
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
  config,
  schema: {
    summary: 'Change a document',
    tags,
    params: DocumentPath,
    body: DocumentPatch,
    response: { 200: Document },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Forget a document',
    tags,
    params: DocumentPath,
    response: { 204: z.null() },
  },
} as const

const find = {
  config,
  schema: {
    summary: 'The passages that an answer would use',
    tags,
    params: TenantPath,
    querystring: SearchQuery,
    response: { 200: z.object({ data: z.array(FoundPassage) }) },
  },
} as const

/** A tenant's documents, and what the search finds in them. */
export async function knowledgeRoutes(app: App, ctx: Context): Promise<void> {
  const base = '/api/v1/tenants/:tenant_id/knowledge'

  await app.register(async (scope: App) => {
    await acceptUploads(scope, MAX_FILE_BYTES)
    scope.post(base, create, async (request, reply) => {
      const place = await openPlace(ctx, memberOf(request), request.params.tenant_id)
      const body: PastedDocument | Upload = request.body
      const row = body instanceof Upload ? addFile(ctx, place, body) : addDocument(ctx, place, body)
      return reply.code(201).send(show(await row))
    })
  })

  app.get(base, list, async (request) => {
    const place = await openPlace(ctx, memberOf(request), request.params.tenant_id)
    const { limit, cursor } = request.query
    const rows = await listDocuments(ctx.db, place, { limit, after: cursor })
    return pageOf(rows, limit, (row) => ({ at: row.created_at, id: row.id }), show)
  })

  app.get(`${base}/:doc_id`, read, async (request) => {
    const row = await openDocument(ctx, memberOf(request), request.params)
    const { id, workspace_id: workspaceId } = row
    const content = row.content || (await findPassageText(ctx.db, { id, workspaceId }))
    return { ...show(row), content }
  })

  app.patch(`${base}/:doc_id`, change, async (request) => {
    const row = await openDocument(ctx, memberOf(request), request.params)
    return show(await changeDocument(ctx, row, request.body))
  })

  app.delete(`${base}/:doc_id`, remove, async (request, reply) => {
    const row = await openDocument(ctx, memberOf(request), request.params)
    const place = { workspaceId: row.workspace_id, tenantId: row.tenant_id }
    await removeDocument(ctx, place, row.id)
    return reply.code(204).send(null)
  })

  app.get('/api/v1/tenants/:tenant_id/search', find, async (request) => {
    const place = await openPlace(ctx, memberOf(request), request.params.tenant_id)
    const { q, limit } = request.query
    const hits = await ctx.indexes.find(ctx, place, q, limit)
    return {
      data: hits.map(({ passage, score }) => ({
        doc_id: passage.doc_id,
        title: passage.title,
        url: passage.url,
        heading: passage.heading,
        anchor: passage.anchor,
        text: passage.text,
        score,
      })),
    }
  })
}

async function openPlace(ctx: Context, caller: UserCaller, tenantId: string) {
  const place = await findTenantPlace(ctx.db, tenantId)
  refuseForeign(place?.workspace_id, caller.workspaceId, 'tenant')
  return { workspaceId: caller.workspaceId, tenantId, version: place?.knowledge_version ?? 0 }
}

async function openDocument(
  ctx: Context,
  caller: UserCaller,
  path: z.infer<typeof DocumentPath>,
): Promise<DocumentRow> {
  const place = await openPlace(ctx, caller, path.tenant_id)
  const row = await findDocument(ctx.db, place, path.doc_id)
  if (row) return row
  refuseForeign(await findDocumentOwner(ctx.db, path.doc_id), caller.workspaceId, 'document')
  throw new AppError('not_found', 'There is no such document at this tenant.')
}

function show(row: ShownDocument): Document {
  return {
    doc_id: row.id,
    tenant_id: row.tenant_id,
    kind: row.kind,
    title: row.title,
    url: row.url,
    file_name: row.file_name,
    state: row.state,
    error: row.error,
    passages: row.passage_count,
    bytes: row.bytes,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
