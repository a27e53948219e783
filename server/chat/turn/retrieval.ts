import type { Context } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import type { SearchRequest } from '../../knowledge/search/query.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import { answerFromPassages } from '../../models/embedded/answers/answer.ts'
import { type MessageRow, type SessionRow, listVisitorTexts } from '../session/store.ts'
import { synonymsOf, type TenantRow } from '../../tenants/tenants.ts'
import { readTurn, type TurnReading } from './understanding.ts'

const MAX_HITS = 8

/**
 * Understands a visitor's message, and returns the passages for it, best first. Small talk needs none,
 * unless a model replies to it. Without a model those for each question of a message that asks several follow, which
 * `understood.further` names too. `isSearchable` is false where the site's knowledge exceeds its memory
 * bound, which its documents tell the owner.
 */
export async function readAndRetrieve(
  ctx: Context,
  place: { tenant: TenantRow; session: SessionRow; message: MessageRow },
  hasModel: boolean,
): Promise<{ understood: TurnReading; hits: Hit[]; isSearchable: boolean }> {
  const { tenant, message } = place
  const understood = await readTurn(ctx, place)
  const { search, isTalkOnly } = understood.reading
  if (isTalkOnly && !hasModel) return { understood, hits: [], isSearchable: true }
  const hits = await retrievePassages(ctx, tenant, message, search, hasModel)
  if (hits === undefined) return { understood, hits: [], isSearchable: false }
  const questions = hasModel ? [] : understood.reading.further
  const further = await Promise.all(
    questions.map(async ({ question, reading }) => {
      const found = await retrievePassages(ctx, tenant, message, reading.search, false)
      return { question, reading, hits: found ?? [] }
    }),
  )
  return {
    understood: { ...understood, further },
    hits: [hits, ...further.map((each) => each.hits)].flat(),
    isSearchable: true,
  }
}

/** Returns the passages for a message; `undefined` where the index exceeds its memory bound. */
async function retrievePassages(
  ctx: Context,
  tenant: TenantRow,
  message: MessageRow,
  request: SearchRequest,
  isInContext: boolean,
): Promise<readonly Hit[] | undefined> {
  try {
    return await searchPassages(ctx, tenant, message, request, isInContext)
  } catch (error) {
    if (error instanceof AppError && error.code === 'overloaded') return undefined
    throw error
  }
}

/**
 * Returns the passages for a message as it was understood. `isInContext` says that the answerer reads
 * the whole session: a message that finds too little alone, such as "and how long does it take?", is
 * searched together with the visitor's previous message.
 */
async function searchPassages(
  ctx: Context,
  tenant: TenantRow,
  message: MessageRow,
  request: SearchRequest,
  isInContext: boolean,
): Promise<readonly Hit[]> {
  const place = {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    version: tenant.knowledge_version,
  }
  const synonyms = synonymsOf(tenant)
  // A model has read the reply before.
  const wanted = isInContext ? { ...request, cited: [] } : request
  const hits = await ctx.indexes.find(ctx, place, { ...wanted, synonyms }, MAX_HITS)
  if (!isInContext || message.sequence === 1) return hits
  const threshold = tenant.answer_threshold
  if (answerFromPassages({ question: message.content, hits, threshold }).known) return hits
  const own = { workspaceId: message.workspace_id, sessionId: message.session_id }
  const question = (await listVisitorTexts(ctx.db, own, 2)).join('\n')
  const further = await ctx.indexes.find(ctx, place, { question, synonyms }, MAX_HITS)
  const known = new Set(hits.map(({ passage }) => passage))
  const added = further.filter(({ passage }) => !known.has(passage))
  return [...hits.slice(0, MAX_HITS / 2), ...added].slice(0, MAX_HITS)
}
