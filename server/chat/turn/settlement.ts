import { type Context, type Transaction, allDone } from '../../context.ts'
import { holdClosedError, releaseMany, settleMany } from '../../credits/ledger.ts'
import { usedBy } from '../../credits/usage.ts'
import { emit, prefetch } from '../../events.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import { type Milli, toCredits, turnCost } from '../../lib/money.ts'
import type { AnswerEnd } from '../../models/embedded/extractive.ts'
import { releaseClaim, storeResponse } from '../../platform/idempotency.ts'
import { serializeTransaction } from '../../storage/query-hints.ts'
import { leadFormOf } from '../../tenants/tenants.ts'
import { lowConfidenceAction, requestHandoffInTx } from '../handoff/handoff.ts'
import type { Turn } from '../schema.ts'
import { type NewMessage, addCounted, countedWith, refusedMessageRef } from '../session/messages.ts'
import type { SessionRow } from '../session/store.ts'
import { chatStrings } from '../session/strings.ts'
import { detectLanguage } from '../../lib/text/language.ts'
import { buildCitations } from './citations.ts'
import { recordDailyUsage, settleClientShares } from './daily-cap.ts'
import type { ActiveTurn } from './opening.ts'

/** An answered turn: its reply, its price, and what happens next. */
export interface TurnSettlement {
  turn: ActiveTurn
  reply: NewMessage & Required<Pick<NewMessage, 'citations' | 'judged' | 'quickReplies' | 'form'>>
  end: AnswerEnd
  cost: Milli
  needsPerson: boolean
  /** The questions, without personal data, that had no answer. */
  unanswered: readonly string[]
}

/** An answer that is ready, and the question, without personal data, that it is for. */
export interface TurnAnswer {
  content: string
  end: AnswerEnd
  hits: readonly Hit[]
  question: string
}

/** Returns the settlement of an answer. */
export function concludeTurn(ctx: Context, turn: ActiveTurn, answer: TurnAnswer): TurnSettlement {
  const { content, end, hits, question } = answer
  const cost: Milli = Math.min(
    turnCost(end.usage.inputTokens, end.usage.outputTokens),
    turn.hold.amount,
  )
  const isLow = end.isUnknown || end.confidence < turn.tenant.answer_threshold
  const remedy = isLow ? lowConfidenceAction(turn.tenant, turn.session, ctx.now()) : undefined
  // In the language of the answer, which may be another one than the page's.
  const spoken = end.language ?? detectLanguage(content) ?? turn.session.locale
  const offered = remedy === 'offer' ? [chatStrings(spoken).talkToPerson] : []
  return {
    turn,
    reply: {
      role: 'assistant',
      content,
      citations: buildCitations(ctx.indexes, hits, end.used, content),
      judged: { confidence: end.confidence, isLow },
      quickReplies: [...new Set([...(end.quickReplies ?? []), ...offered])],
      form: end.form ?? (end.isUnknown && leadFormOf(turn.tenant).enabled ? 'lead' : null),
    },
    end,
    cost,
    needsPerson: remedy === 'handoff',
    unanswered: end.isUnknown ? [question] : (end.unanswered ?? []),
  }
}

/**
 * Settles turns of a workspace in one commit: replies, their prices, and the stored responses for
 * retries. Throws for an erased session and for a closed hold. Locks like `openTurns`.
 */
export async function settleTurns(
  tx: Transaction,
  workspaceId: string,
  settlements: readonly TurnSettlement[],
): Promise<Turn[]> {
  await serializeTransaction(tx.db, workspaceId)
  const costs = settlements.map(({ turn: { hold }, cost }) => ({ hold, cost }))
  await recordDailyUsage(tx, costs)
  // Before the sessions, because the row refers to the tenant: the removal of a tenant locks its
  // days, its row, and then its sessions.
  await emitUnanswered(tx, workspaceId, settlements)
  // Sent together, so that what is locked and read costs one round trip.
  const [remaining, , ...counted] = await allDone([
    settleMany(
      tx,
      workspaceId,
      settlements.map(({ turn, end, cost }) => ({
        hold: turn.hold,
        cost,
        usage: { ...usedBy(turn.caller), tenantId: turn.tenant.id, ...end.usage },
      })),
    ),
    allDone(
      settlements.map(({ turn: { tenant, session } }) =>
        prefetch(tx, ['message.sent'], {
          workspaceId,
          tenantId: tenant.id,
          sessionId: session.id,
        }),
      ),
    ),
    ...settlements.map(({ turn, reply }) => countedWith(tx, turn.session, reply)),
  ])
  await settleClientShares(tx, costs)
  const turns: Turn[] = []
  for (const [at, settlement] of settlements.entries()) {
    const [left, session] = [remaining[at], counted[at]]
    if (left === undefined || !session) throw holdClosedError(settlement.turn.hold)
    turns.push(await finishTurn(tx, settlement, session, left))
  }
  return turns
}

/**
 * Ends turns of a workspace without an answer, in one commit: their holds, the shares of the client addresses and the
 * claims of their callers are free again. Returns for each whether its hold was still open. Idempotent. Locks
 * the balance.
 */
export async function abandonTurns(
  tx: Transaction,
  workspaceId: string,
  turns: readonly ActiveTurn[],
): Promise<boolean[]> {
  await serializeTransaction(tx.db, workspaceId)
  const holds = turns.map(({ hold }) => hold)
  const released = await releaseMany(tx, workspaceId, holds)
  const unpaid = holds.filter((_, at) => released[at]).map((hold) => ({ hold, cost: 0 }))
  await settleClientShares(tx, unpaid)
  await allDone(
    turns.flatMap(({ key, message }) =>
      key ? [releaseClaim(tx, key, refusedMessageRef(message))] : [],
    ),
  )
  return released
}

/** Emits one event for all turns without an answer, so that its handlers write once. */
async function emitUnanswered(
  tx: Transaction,
  workspaceId: string,
  settlements: readonly TurnSettlement[],
): Promise<void> {
  const questions = settlements.flatMap(({ turn: { tenant, session, message }, end, unanswered }) =>
    unanswered.map((text) => ({
      tenant_id: tenant.id,
      chatbot_id: tenant.chatbot_id,
      session_id: message.session_id,
      message_id: message.id,
      text,
      is_partial: !end.isUnknown,
      locale: session.locale,
      asked_at: isoTime(message.created_at),
    })),
  )
  if (questions.length > 0) {
    await emit(tx, 'questions.unanswered', { workspaceId, data: { questions } })
  }
}

/** Stores the reply in its locked session, and returns the turn. */
async function finishTurn(
  tx: Transaction,
  { turn, reply, cost, needsPerson }: TurnSettlement,
  counted: SessionRow,
  remaining: Milli,
): Promise<Turn> {
  const { message, session } = await addCounted(tx, counted, reply)
  const { state } =
    needsPerson && session.state === 'bot'
      ? (await requestHandoffInTx(tx, turn.tenant, session, 'low_confidence')).session
      : session
  const finished: Turn = {
    session_id: session.id,
    message_id: turn.message.id,
    reply: {
      message_id: message.id,
      role: 'assistant',
      content: reply.content,
      citations: [...reply.citations],
      quick_replies: [...reply.quickReplies],
      confidence: reply.judged.confidence,
      form: reply.form,
    },
    state,
    credits_used: toCredits(cost),
    credits_remaining: toCredits(remaining),
  }
  if (turn.key) await storeResponse(tx, turn.key, JSON.stringify(finished))
  return finished
}
