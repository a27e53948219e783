import type { Context } from '../../context.ts'
import { giveBack, startHoldHeartbeat } from '../../credits/heartbeat.ts'
import { AppError } from '../../http/errors.ts'
import { toMilli } from '../../lib/money.ts'
import { estimateTokens } from '../../lib/token-estimate.ts'
import type { AnswerEnd } from '../../models/embedded/extractive.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import type { RequestKey } from '../../platform/idempotency.ts'
import { shutdownReason } from '../../runtime/in-flight.ts'
import type { TenantRow } from '../../tenants/tenants.ts'
import type { SendMessage, Turn } from '../schema.ts'
import { type Answerer, openAnswerer, streamAnswer } from './answerer.ts'
import type { DialogReply } from './dialog.ts'
import type { ActiveTurn, ReceivedMessage } from './opening.ts'
import { readAndRetrieve } from './retrieval.ts'
import { type TurnAnswer, concludeTurn } from './settlement.ts'

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
    received?: ReceivedMessage
  },
): Promise<AsyncGenerator<TurnPiece>> {
  const { input, key, signal, client, received } = request
  const writer = await openAnswerer(ctx, tenant.workspace_id)
  const max = writer.maxCost(input.message)
  const hasModel = writer.models.length > 0
  const opening = { caller, tenant, input, key, max, client, received, hasModel }
  // A message that is stored already is answered, however late.
  const maxWaitMs = received ? 0 : ctx.config.load.maxWaitMs
  const opened = await ctx.turns.opening.run(ctx, tenant.workspace_id, opening, { maxWaitMs })
  return 'turn' in opened ? single(opened.turn) : answer(ctx, writer, opened, signal)
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
      const finished = await settle(ctx, turn, { ...direct, question: message.content })
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
    const finished = await settle(ctx, turn, { content, end, hits, question })
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
function settle(ctx: Context, turn: ActiveTurn, answered: TurnAnswer): Promise<Turn> {
  const settlement = concludeTurn(ctx, turn, answered)
  return ctx.turns.settling.run(ctx, turn.tenant.workspace_id, settlement)
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

/** Ends a turn without an answer. */
async function abandonTurn(ctx: Context, turn: ActiveTurn): Promise<void> {
  await giveBack(ctx, () => ctx.turns.abandoning.run(ctx, turn.tenant.workspace_id, turn))
}
