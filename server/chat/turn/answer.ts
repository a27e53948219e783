import { type Context, type Transaction, transaction } from '../../context.ts'
import { giveBack, startHoldHeartbeat } from '../../credits/heartbeat.ts'
import { releaseHold, settleHold } from '../../credits/ledger.ts'
import { usedBy } from '../../credits/usage.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { estimateTokens } from '../../lib/token-estimate.ts'
import { type Milli, toCredits, toMilli, turnCost } from '../../lib/money.ts'
import type { AnswerEnd } from '../../models/embedded/extractive.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import {
  type RequestKey,
  claimRequest,
  releaseClaim,
  storeResponse,
} from '../../platform/idempotency.ts'
import {
  type TurnHold,
  recordDailyUsage,
  releaseClientShare,
  reserveTurnCredits,
} from './daily-cap.ts'
import { requestHandoffInTx, lowConfidenceAction } from '../handoff/handoff.ts'
import { readAndRetrieve } from './retrieval.ts'
import { acceptsOffer } from './understanding.ts'
import {
  addMessage,
  findRefusedMessage,
  refusedMessageRef,
  receiveMessage,
} from '../session/messages.ts'
import { shutdownReason } from '../../runtime/in-flight.ts'
import { buildCitations } from './citations.ts'
import type { SendMessage, Turn } from '../schema.ts'
import { openSession, startSession } from '../session/sessions.ts'
import type { DialogReply } from './dialog.ts'
import { turnWithoutBot } from './turn-without-bot.ts'
import type { MessageRow, SessionRow } from '../session/store.ts'
import { type TenantRow, leadFormOf } from '../../tenants/tenants.ts'
import { matchesHandoffIntent, chatStrings, isHandoffReply } from '../session/strings.ts'
import { type Answerer, openAnswerer, streamAnswer } from './answerer.ts'

/** A stored visitor message with a credit hold, waiting for its answer. */
interface ActiveTurn {
  caller: Caller
  client: string | undefined
  tenant: TenantRow
  session: SessionRow
  message: MessageRow
  key: RequestKey | undefined
  hold: TurnHold
  /** The page from which the message was sent. */
  pageUrl: string | undefined
}

/** One piece of a turn: a delta, or the finished turn at the end. */
export type TurnPiece = { delta: string } | { turn: Turn }

/**
 * Receives a visitor's message and streams the turn. Every refusal is thrown before the first
 * piece: session, state, then 402. A message that could not be paid for is stored, and the problem
 * names its session.
 */
export async function beginTurn(
  ctx: Context,
  caller: Caller,
  tenant: TenantRow,
  request: {
    input: SendMessage
    key: RequestKey | undefined
    signal: AbortSignal
    /** The limit key of the visitor's device; undefined for members and keys. */
    client: string | undefined
    /** The message, when a messaging app's hook has stored it before. */
    received?: { session: SessionRow; message: MessageRow }
  },
): Promise<AsyncGenerator<TurnPiece>> {
  const { input, key, signal, client, received } = request
  const writer = await openAnswerer(ctx, tenant.workspace_id)
  const max = writer.maxCost(input.message)
  const hasModel = writer.models.length > 0
  const opened = await transaction(ctx, (tx) =>
    prepareTurn(tx, caller, tenant, { input, key, max, client, received, hasModel }),
  )
  if (opened instanceof AppError) throw opened
  return 'turn' in opened ? single(opened.turn) : answer(ctx, writer, opened, signal)
}

/**
 * Commits the session, the message, its events, and the hold or the refusal. While an operator has
 * the session the turn ends here: the bot is silent and nothing is charged.
 */
async function prepareTurn(
  tx: Transaction,
  caller: Caller,
  tenant: TenantRow,
  {
    input,
    key,
    max,
    client,
    received,
    hasModel,
  }: {
    input: SendMessage
    key: RequestKey | undefined
    max: Milli
    client: string | undefined
    received: { session: SessionRow; message: MessageRow } | undefined
    hasModel: boolean
  },
): Promise<ActiveTurn | { turn: Turn } | AppError> {
  const refused = key && (await claimRequest(tx, key))
  const { session, message } =
    received ??
    ((refused && (await findRefusedMessage(tx, caller, refused))) ||
      (await receive(tx, caller, tenant, input)))
  // A model detects the wish for a person and answers it.
  const wantsHuman =
    isHandoffReply(message.content) ||
    (!hasModel &&
      (matchesHandoffIntent(message.content) ||
        (await acceptsOffer(tx.db, session, message, 'person'))))
  const silent = await turnWithoutBot(tx, tenant, { session, message, wantsHuman })
  if (silent) {
    if (key) await storeResponse(tx, key, JSON.stringify(silent))
    return { turn: silent }
  }
  try {
    const hold = await reserveTurnCredits(tx, tenant, { message, max, client })
    return { caller, client, tenant, session, message, key, hold, pageUrl: input.page_url }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (key) await releaseClaim(tx, key, refusedMessageRef(message))
    return new AppError(error.code, error.message, {
      more: { ...error.more, session_id: session.id },
      headers: error.headers,
    })
  }
}

/**
 * Stores the message in its session, a new or an existing one. Throws 404 for a session of another
 * tenant, 409 for a closed one.
 */
async function receive(
  tx: Transaction,
  caller: Caller,
  tenant: TenantRow,
  input: SendMessage,
): Promise<{ session: SessionRow; message: MessageRow }> {
  const current = input.session_id
    ? await openSession(tx, caller, input.session_id)
    : await startSession(tx, tenant, { caller, locale: input.locale, pageUrl: input.page_url })
  if (current.tenant_id !== tenant.id) {
    throw new AppError('not_found', 'This session does not exist at this tenant.')
  }
  if (current.state === 'closed') {
    throw new AppError(
      'conflict',
      'This conversation is closed. Leave session_id out for a new one.',
    )
  }
  return receiveMessage(tx, tenant, current, input.message)
}

async function* single(turn: Turn): AsyncGenerator<TurnPiece> {
  yield { turn }
}

/**
 * Retrieves passages, streams the answer, and settles. The hold is released when any step fails.
 */
async function* answer(
  ctx: Context,
  writer: Answerer,
  turn: ActiveTurn,
  disconnected: AbortSignal,
): AsyncGenerator<TurnPiece> {
  let isSettled = false
  const stopHeartbeat = startHoldHeartbeat(ctx, turn)
  const stop = new AbortController()
  const signal = AbortSignal.any([disconnected, stop.signal])
  const endWork = ctx.inFlight.add(stop)
  try {
    const { tenant, session, message, client } = turn
    const hasModel = writer.models.length > 0
    const place = { tenant, session, message }
    const dialog = await ctx.openDialog(ctx, { ...place, client, hasModel })
    const replied = await dialog?.answer()
    if (replied) {
      yield { delta: replied.content }
      const direct = {
        content: replied.content,
        end: dialogEnd(message.content, replied),
        hits: [],
      }
      const finished = await settleTurn(ctx, turn, { ...direct, question: message.content })
      isSettled = true
      yield { turn: finished }
      return
    }
    const { understood, hits, isSearchable } = await readAndRetrieve(ctx, place, hasModel)
    // Without the site's knowledge a model would invent: the answer is an honest "I don't know".
    const answerer = isSearchable ? writer : { ...writer, models: [] }
    let content = ''
    let end: AnswerEnd | undefined
    const pageUrl = turn.pageUrl ?? session.page_url
    const request = { ...place, client, understood, hits, pageUrl }
    for await (const piece of streamAnswer(ctx, answerer, request, signal)) {
      if ('end' in piece) {
        end = piece.end
        continue
      }
      content += piece.delta
      yield piece
    }
    const stopped = shutdownReason(signal)
    if (stopped) throw stopped
    if (!end || content === '') {
      throw new AppError('model_failed', 'The answer broke off. Nothing was charged.')
    }
    const open = await dialog?.openQuestion()
    if (open && !content.includes(open.content)) {
      const delta = `\n\n${open.content}`
      content += delta
      end = { ...end, quickReplies: open.quickReplies }
      yield { delta }
    }
    const question = understood.anonymous
    const finished = await settleTurn(ctx, turn, { content, end, hits, question })
    isSettled = true
    end.meter?.charge(toMilli(finished.credits_used ?? 0))
    yield { turn: finished }
  } finally {
    stopHeartbeat()
    try {
      if (!isSettled) await abandonTurn(ctx, turn)
    } finally {
      endWork()
    }
  }
}

/** Commits the reply, its price, and the stored response for a retry. */
async function settleTurn(
  ctx: Context,
  turn: ActiveTurn,
  {
    content,
    end,
    hits,
    question,
  }: { content: string; end: AnswerEnd; hits: readonly Hit[]; question: string },
): Promise<Turn> {
  const citations = buildCitations(hits, end.used, content)
  const cost: Milli = Math.min(
    turnCost(end.usage.inputTokens, end.usage.outputTokens),
    turn.hold.amount,
  )
  const isLow = end.isUnknown || end.confidence < turn.tenant.answer_threshold
  const remedy = isLow ? lowConfidenceAction(turn.tenant, turn.session, ctx.now()) : undefined
  const offered = remedy === 'offer' ? [chatStrings(turn.session.locale).talkToPerson] : []
  const quickReplies = [...new Set([...(end.quickReplies ?? []), ...offered])]
  const form = end.form ?? (end.isUnknown && leadFormOf(turn.tenant).enabled ? 'lead' : null)
  return transaction(ctx, async (tx) => {
    // First, because the row refers to the tenant: the removal of a tenant locks its row before
    // its sessions.
    if (end.isUnknown) await emitUnanswered(tx, turn, question)
    const { message, session } = await addMessage(tx, turn.session, {
      role: 'assistant',
      content,
      citations,
      judged: { confidence: end.confidence, isLow },
      quickReplies,
      form,
    })
    const { state } =
      remedy === 'handoff' && session.state === 'bot'
        ? (await requestHandoffInTx(tx, turn.tenant, session, 'low_confidence')).session
        : session
    await recordDailyUsage(tx, turn.hold, cost)
    const remaining = await settleHold(tx, turn.hold, cost, {
      ...usedBy(turn.caller),
      tenantId: turn.tenant.id,
      inputTokens: end.usage.inputTokens,
      outputTokens: end.usage.outputTokens,
    })
    const finished: Turn = {
      session_id: session.id,
      message_id: turn.message.id,
      reply: {
        message_id: message.id,
        role: 'assistant',
        content,
        citations,
        quick_replies: quickReplies,
        confidence: end.confidence,
        form,
      },
      state,
      credits_used: toCredits(cost),
      credits_remaining: toCredits(remaining),
    }
    if (turn.key) await storeResponse(tx, turn.key, JSON.stringify(finished))
    return finished
  })
}

/** The end of a reply that took no answerer: it is sure, and has the price of its text. */
function dialogEnd(question: string, { content, quickReplies, form }: DialogReply): AnswerEnd {
  return {
    usage: { inputTokens: estimateTokens(question), outputTokens: estimateTokens(content) },
    used: [],
    confidence: 1,
    isUnknown: false,
    quickReplies,
    form,
  }
}

function emitUnanswered(
  tx: Transaction,
  { tenant, session, message }: ActiveTurn,
  text: string,
): Promise<void> {
  return emit(tx, 'question.unanswered', {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    data: {
      tenant_id: tenant.id,
      chatbot_id: tenant.chatbot_id,
      session_id: message.session_id,
      message_id: message.id,
      text,
      locale: session.locale,
      asked_at: isoTime(message.created_at),
    },
  })
}

/** Releases the hold and the idempotency key of a turn without an answer. */
async function abandonTurn(ctx: Context, turn: ActiveTurn): Promise<void> {
  await giveBack(ctx, () =>
    transaction(ctx, async (tx) => {
      if (await releaseHold(tx, turn.hold)) await releaseClientShare(tx, turn.hold)
      if (turn.key) await releaseClaim(tx, turn.key, refusedMessageRef(turn.message))
    }),
  )
}
