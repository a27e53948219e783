import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { answerFromPassages } from '../../models/embedded/answer.ts'
import { type MessageRow, listVisitorTexts } from '../session/store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

const MAX_HITS = 8

/**
 * Returns the passages for a visitor's message, best first. `isInContext` says that the answerer
 * reads the whole session: a message that finds too little alone, such as "and how long does it
 * take?", is searched together with the visitor's previous message. Returns `undefined` where the
 * site's knowledge exceeds its memory bound, which its documents tell the owner.
 */
export async function retrievePassages(
  ctx: Context,
  tenant: TenantRow,
  message: MessageRow,
  isInContext: boolean,
): Promise<readonly Hit[] | undefined> {
  try {
    return await searchPassages(ctx, tenant, message, isInContext)
  } catch (error) {
    if (error instanceof AppError && error.code === 'overloaded') return undefined
    throw error
  }
}

async function searchPassages(
  ctx: Context,
  tenant: TenantRow,
  message: MessageRow,
  isInContext: boolean,
): Promise<readonly Hit[]> {
  const place = {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    version: tenant.knowledge_version,
  }
  const hits = await ctx.indexes.find(ctx, place, message.content, MAX_HITS)
  if (!isInContext || message.sequence === 1) return hits
  const threshold = tenant.answer_threshold
  if (answerFromPassages({ question: message.content, hits, threshold }).known) return hits
  const own = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const question = (await listVisitorTexts(ctx.db, own, 2)).join('\n')
  const further = await ctx.indexes.find(ctx, place, question, MAX_HITS)
  const known = new Set(hits.map(({ passage }) => passage))
  const added = further.filter(({ passage }) => !known.has(passage))
  return [...hits.slice(0, MAX_HITS / 2), ...added].slice(0, MAX_HITS)
}
