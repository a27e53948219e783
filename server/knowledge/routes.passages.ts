import { z } from 'zod'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { loadTenant, TenantPath } from './documents/load-tenant.ts'
import { findDocumentOwner, listDocumentPassages, listHeadings } from './documents/store.ts'
import { ReadPassage } from './schema.ts'
import { suggestQuestions } from './suggested-questions.ts'

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Knowledge']
const MAX_SHOWN_PASSAGES = 500

const list = {
  config,
  schema: {
    summary: 'The passages of a document, in their order; the first 500',
    tags,
    params: TenantPath.extend({ doc_id: z.string().max(64) }),
    response: { 200: z.object({ data: z.array(ReadPassage) }) },
  },
} as const

const suggest = {
  config,
  schema: {
    summary: 'Questions to try the assistant with, made from the headings of the documents',
    tags,
    params: TenantPath,
    response: { 200: z.object({ data: z.array(z.string()) }) },
  },
} as const

/** Routes that show what the assistant has read. */
export function passageRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/tenants/:tenant_id'

  app.get(`${base}/knowledge/:doc_id/passages`, list, async (request) => {
    const { tenant_id: tenantId, doc_id: id } = request.params
    const { workspaceId } = await loadTenant(ctx, requireMember(request), tenantId)
    assertOwned(await findDocumentOwner(ctx.db, id), workspaceId, 'document')
    const rows = await listDocumentPassages(
      ctx.db,
      { workspaceId, tenantId, id },
      MAX_SHOWN_PASSAGES,
    )
    if (!rows) throw new AppError('not_found', 'This document does not exist at this tenant.')
    return { data: rows.map(({ heading, content }) => ({ heading, text: content })) }
  })

  app.get(`${base}/suggested-questions`, suggest, async (request) => {
    const tenant = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    return { data: suggestQuestions(await listHeadings(ctx.db, tenant)) }
  })
}
