import { z } from 'zod'
import type { Context } from '../../context.ts'
import { pageSchema } from '../../http/pagination.ts'
import { addDocument } from '../../knowledge/documents/documents.ts'
import type { KnowledgeRef } from '../../knowledge/documents/documents.ts'
import { loadTenant } from '../../knowledge/documents/load-tenant.ts'
import { findPassages } from '../../knowledge/find-passages.ts'
import {
  Document,
  DocumentKind,
  FoundPassage,
  PastedDocument,
  UnansweredQuestion,
} from '../../knowledge/schema.ts'
import { serializeDocument } from '../../knowledge/serialize.ts'
import { readQuestions } from '../../knowledge/unanswered/question-list.ts'
import { actorOf } from '../../platform/audit/audit.ts'
import type { UserCaller, VisitorCaller } from '../../platform/auth/authenticator.ts'
import { findTenantPlace } from '../../knowledge/documents/store.ts'
import { defineTool } from '../tool.ts'
import { Paging, SITE } from './fields.ts'

const Found = z.object({ data: z.array(FoundPassage) })
const Search = {
  query: z.string().trim().min(1).max(4_000).describe('What is looked for, in any words'),
  limit: z.int().min(1).max(50).default(8).describe('How many passages at most'),
}
const ABOUT_SEARCH =
  'Finds the passages of the documents of a site that answer a question, the best first. ' +
  'Costs no credits.'

async function search(ctx: Context, tenant: KnowledgeRef, { query: q, limit }: SearchInput) {
  return { data: await findPassages(ctx, tenant, { q, limit }) }
}
type SearchInput = { query: string; limit: number }

/** Tools of a site's documents. */
export const KNOWLEDGE_TOOLS = [
  defineTool({
    name: 'search_knowledge',
    title: 'Search the documents',
    description: ABOUT_SEARCH,
    route: 'GET /api/v1/tenants/:tenant_id/search',
    isReadOnly: true,
    input: z.strictObject({ ...SITE, ...Search }),
    output: Found,
    run: async (ctx, { caller }: { caller: UserCaller }, { tenant_id: tenantId, ...input }) =>
      search(ctx, await loadTenant(ctx, caller, tenantId), input),
  }),
  defineTool({
    name: 'add_document',
    title: 'Add a document',
    description:
      'Adds a document to the knowledge of a site. Its assistant answers from it at once.',
    route: 'POST /api/v1/tenants/:tenant_id/knowledge',
    isReadOnly: false,
    input: z.strictObject({
      ...SITE,
      title: PastedDocument.shape.title,
      content: PastedDocument.shape.content.describe('The whole text'),
      kind: DocumentKind.default('markdown').describe('The form of `content`'),
      url: PastedDocument.shape.url.describe('Where visitors can read it'),
    }),
    output: Document,
    run: async (
      ctx,
      { caller, request }: { caller: UserCaller; request: Parameters<typeof actorOf>[0] },
      { tenant_id: tenantId, ...document },
    ) => {
      const tenant = await loadTenant(ctx, caller, tenantId)
      const added = await addDocument(ctx, { ...tenant, actor: actorOf(request) }, document)
      return serializeDocument(ctx, added)
    },
  }),
  defineTool({
    name: 'list_unanswered',
    title: 'List unanswered questions',
    description:
      'Lists the questions of visitors that the documents of a site do not answer, those asked ' +
      'most often first.',
    route: 'GET /api/v1/tenants/:tenant_id/unanswered',
    isReadOnly: true,
    input: z.strictObject({ ...SITE, ...Paging }),
    output: pageSchema(UnansweredQuestion),
    run: async (ctx, { caller }: { caller: UserCaller }, { tenant_id: tenantId, ...page }) =>
      readQuestions(ctx, await loadTenant(ctx, caller, tenantId), page),
  }),
]

/** The search of a public site, for anybody. */
export const PUBLIC_SEARCH = defineTool({
  name: 'search_knowledge',
  title: 'Search the documents',
  description: ABOUT_SEARCH,
  route: 'GET /api/v1/tenants/:tenant_id/search',
  isReadOnly: true,
  input: z.strictObject(Search),
  output: Found,
  run: async (ctx, { caller }: { caller: VisitorCaller }, input) => {
    const { workspaceId, tenantId } = caller
    const place = await findTenantPlace(ctx.db, tenantId)
    return search(ctx, { workspaceId, tenantId, version: place?.knowledge_version ?? 0 }, input)
  },
})
