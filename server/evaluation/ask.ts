import { type Context, type Transaction, transaction } from '../context.ts'
import { buildCitations } from '../chat/turn/citations.ts'
import { openAnswerer, streamAnswer } from '../chat/turn/answerer.ts'
import { readAndRetrieve } from '../chat/turn/retrieval.ts'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import { startHoldHeartbeat } from '../credits/heartbeat.ts'
import { holdCredits, releaseHold, settleHold } from '../credits/ledger.ts'
import type { UsageCount } from '../credits/usage.ts'
import { AppError } from '../http/errors.ts'
import type { Hit } from '../knowledge/search/hit.ts'
import { type Milli, toCredits, turnCost } from '../lib/money.ts'
import type { AnswerEnd } from '../models/embedded/extractive.ts'
import { shutdownReason } from '../runtime/in-flight.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import type { AskOutcome, AskQuestion, AskReason, Asked } from './schema.ts'

/** A question outside any conversation, and whom its cost is counted for. */
export interface AskedQuestion extends AskQuestion {
  askedBy: Pick<UsageCount, 'userId' | 'keyId'>
}

/** Work in the commit that pays for the answer. */
type OnSettled = (tx: Transaction, asked: Asked, cost: Milli) => Promise<void>

/**
 * Answers a question as the bot would answer a new visitor's first message, and stores no
 * conversation. Only a model's answer costs credits, at the price of a turn. `onSettled` runs in the
 * commit of the price. Throws 402 and, for an answer that broke off, 502 or 504.
 */
export async function askQuestion(
  ctx: Context,
  tenant: TenantRow,
  question: AskedQuestion,
  signal: AbortSignal,
  onSettled?: OnSettled,
): Promise<Asked> {
  const writer = await openAnswerer(ctx, tenant.workspace_id)
  const hasModel = writer.models.length > 0
  const hold = hasModel
    ? await transaction(ctx, (tx) =>
        holdCredits(tx, tenant.workspace_id, writer.maxCost(question.question), {
          min: turnCost(0, 0),
        }),
      )
    : undefined
  const stopHeartbeat = hold ? startHoldHeartbeat(ctx, { hold, key: undefined }) : undefined
  const stop = new AbortController()
  const endWork = ctx.inFlight.add(stop)
  let isSettled = false
  try {
    const work = AbortSignal.any([signal, stop.signal])
    const { content, end, hits } = await readAnswer(ctx, tenant, question, work)
    const cost = hold && end.meter ? Math.min(priceOf(end), hold.amount) : 0
    const asked = describeAnswer(ctx, tenant, { content, end, hits, cost, hasModel })
    await transaction(ctx, async (tx) => {
      if (hold) {
        const { inputTokens, outputTokens } = end.usage
        const usage = { ...question.askedBy, tenantId: tenant.id, inputTokens, outputTokens }
        await settleHold(tx, hold, cost, usage)
      }
      await onSettled?.(tx, asked, cost)
    })
    isSettled = true
    end.meter?.charge(cost)
    return asked
  } finally {
    stopHeartbeat?.()
    try {
      if (hold && !isSettled) await transaction(ctx, (tx) => releaseHold(tx, hold))
    } finally {
      endWork()
    }
  }
}

async function readAnswer(
  ctx: Context,
  tenant: TenantRow,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<{ content: string; end: AnswerEnd; hits: readonly Hit[] }> {
  // Without a stored session, a tool could only act on nothing.
  const tools = ctx.tools.filter((tool) => tool.isReadOnly)
  const reader: Context = { ...ctx, tools, toolSources: [] }
  const writer = await openAnswerer(ctx, tenant.workspace_id)
  const { session, message } = unstoredTurn(ctx, tenant, question)
  const place = { tenant, session, message }
  const hasModel = writer.models.length > 0
  const { understood, hits, isSearchable } = await readAndRetrieve(ctx, place, hasModel)
  let content = ''
  let end: AnswerEnd | undefined
  const answerer = isSearchable ? writer : { ...writer, models: [] }
  const request = { ...place, client: undefined, understood, hits, pageUrl: null }
  for await (const piece of streamAnswer(reader, answerer, request, signal)) {
    if ('end' in piece) ({ end } = piece)
    else content += piece.delta
  }
  const stopped = shutdownReason(signal)
  if (stopped) throw stopped
  if (!end || content === '') {
    throw new AppError('model_failed', 'The answer broke off. Nothing was charged.')
  }
  return { content, end, hits }
}

function priceOf({ usage }: AnswerEnd): Milli {
  return turnCost(usage.inputTokens, usage.outputTokens)
}

function describeAnswer(
  { indexes }: Pick<Context, 'indexes'>,
  tenant: TenantRow,
  {
    content,
    end,
    hits,
    cost,
    hasModel,
  }: { content: string; end: AnswerEnd; hits: readonly Hit[]; cost: Milli; hasModel: boolean },
): Asked {
  const outcome = outcomeOf(end)
  const sources = end.used.flatMap((place) => hits[place]?.passage.doc_id ?? [])
  const documents = [...new Set(sources)]
  return {
    outcome,
    answer: content,
    confidence: end.confidence,
    threshold: tenant.answer_threshold,
    reason: reasonOf(outcome, { isByModel: hasModel && end.meter !== undefined, hits }),
    citations: buildCitations(indexes, hits, end.used, content).map((citation, place) => ({
      ...citation,
      doc_id: documents[place] ?? '',
    })),
    passages: hits.map(({ passage, score }) => ({
      doc_id: passage.doc_id,
      title: passage.title,
      url: passage.url,
      text: passage.text,
      score,
    })),
    credits_used: toCredits(cost),
  }
}

function outcomeOf({ isUnknown, manner }: AnswerEnd): AskOutcome {
  if (isUnknown) return 'refused'
  return manner ?? 'answered'
}

function reasonOf(
  outcome: AskOutcome,
  { isByModel, hits }: { isByModel: boolean; hits: readonly Hit[] },
): AskReason {
  if (outcome === 'small_talk') return 'small_talk'
  if (outcome === 'refused') {
    if (isByModel) return 'model_declined'
    return hits.length === 0 ? 'no_passages' : 'below_threshold'
  }
  return isByModel ? 'model_answered' : 'passages_quoted'
}

/** The rows of a new visitor's first message, which are never stored. */
function unstoredTurn(
  ctx: Context,
  tenant: TenantRow,
  { question, locale = tenant.locale }: AskedQuestion,
): { session: SessionRow; message: MessageRow } {
  const now = ctx.now()
  const session: SessionRow = {
    id: '',
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    visitor_id: null,
    user_id: null,
    state: 'bot',
    channel: 'widget',
    locale,
    page_url: null,
    message_count: 1,
    event_count: 0,
    assignee_id: null,
    unread: 0,
    operator_read: 0,
    visitor_read: 0,
    low_answers: 0,
    last_confidence: null,
    waiting_since: null,
    waiting_alerted_at: null,
    snoozed_until: null,
    created_at: now,
    updated_at: now,
  }
  const message: MessageRow = {
    id: '',
    workspace_id: tenant.workspace_id,
    session_id: '',
    sequence: 1,
    role: 'visitor',
    content: question,
    citations: null,
    attachments: null,
    folded: null,
    author_id: null,
    created_at: now,
  }
  return { session, message }
}
