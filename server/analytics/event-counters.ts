import type { Transaction } from '../context.ts'
import type { EventEnvelope } from '../events.ts'
import { addCount } from './counter-store.ts'
import type { Metric, NewCount } from './schema.ts'
import { beginWait, endWait, listFirstSeen } from './store.ts'
import { responseTimeBucket } from './response-times.ts'

const MAX_PAGE_LENGTH = 300
const SATISFIED = 4

function recordCount(
  tx: Transaction,
  { workspaceId, tenantId }: EventEnvelope,
  counted: Omit<NewCount, 'workspaceId' | 'tenantId'>,
): void {
  if (tenantId !== undefined) addCount(tx, { workspaceId, tenantId, ...counted })
}

const COUNTED = {
  'turn.capped': 'capped',
  'lead.created': 'leads',
  'appointment.created': 'appointments',
} as const satisfies Record<string, Metric>

/** Counts what happened once. */
export async function countEvent(
  tx: Transaction,
  event: keyof typeof COUNTED,
  envelope: EventEnvelope<keyof typeof COUNTED>,
): Promise<void> {
  recordCount(tx, envelope, { metrics: { [COUNTED[event]]: 1 } })
}

/** Counts a conversation, and the page on which it began. */
export async function countSessionStarted(
  tx: Transaction,
  _event: 'session.started',
  envelope: EventEnvelope<'session.started'>,
): Promise<void> {
  const page = pagePath(envelope.data.page_url)
  recordCount(tx, envelope, {
    metrics: { sessions: 1 },
    ...(page === undefined ? {} : { subjects: [{ kind: 'page', subject: page, count: 1 }] }),
  })
}

/** A page without what may name a person: no query, no fragment, no user in the address. */
function pagePath(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { protocol, host, pathname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  return [...`${host}${pathname}`].slice(0, MAX_PAGE_LENGTH).join('')
}

/**
 * Counts what a visitor wrote. Whether they wrote more than once is counted for the day on which
 * they first wrote, so that the two numbers of a day belong together.
 */
export async function countReceivedMessage(
  tx: Transaction,
  _event: 'message.received',
  envelope: EventEnvelope<'message.received'>,
): Promise<void> {
  const { workspaceId, data } = envelope
  recordCount(tx, envelope, { metrics: { visitor_messages: 1 } })
  const times = await listFirstSeen(tx.db, { workspaceId, sessionId: data.session_id })
  const [first] = times
  if (first === undefined) return
  if (times.length === 1) recordCount(tx, envelope, { at: first, metrics: { talks: 1 } })
  if (times.length === 2) recordCount(tx, envelope, { at: first, metrics: { longer_talks: 1 } })
}

/** Counts what the bot or an operator said, and how long somebody waited for the latter. */
export async function countSentMessage(
  tx: Transaction,
  _event: 'message.sent',
  envelope: EventEnvelope<'message.sent'>,
): Promise<void> {
  const { workspaceId, data } = envelope
  if (data.role === 'system') return
  if (data.role === 'assistant') {
    recordCount(tx, envelope, { metrics: { bot_messages: 1, answered: data.is_answer ? 1 : 0 } })
    return
  }
  recordCount(tx, envelope, { metrics: { operator_messages: 1 } })
  const since = await endWait(tx.db, { workspaceId, sessionId: data.session_id })
  if (since === undefined) return
  const waited = Math.max(0, tx.now() - since)
  recordCount(tx, envelope, {
    metrics: { first_responses: 1, first_response_ms: waited },
    subjects: [{ kind: 'response', subject: responseTimeBucket(waited), count: 1, amount: waited }],
  })
}

/** An answer that said that there is none was counted as one with the message. */
export async function countUnansweredQuestion(
  tx: Transaction,
  _event: 'question.unanswered',
  envelope: EventEnvelope<'question.unanswered'>,
): Promise<void> {
  recordCount(tx, envelope, { metrics: { answered: -1, unanswered: 1 } })
}

/** Counts that a person was asked for, who is waited for from then on. */
export async function countHandoff(
  tx: Transaction,
  _event: 'handoff.requested',
  envelope: EventEnvelope<'handoff.requested'>,
): Promise<void> {
  const { workspaceId, data } = envelope
  recordCount(tx, envelope, { metrics: { handoffs: 1 } })
  await beginWait(tx.db, { workspaceId, sessionId: data.session_id }, tx.now())
}

/** Nobody waits any more in a conversation that the bot has again, or that is over. */
export async function endWaitOnStateChange(
  tx: Transaction,
  _event: 'session.changed',
  { workspaceId, data }: EventEnvelope<'session.changed'>,
): Promise<void> {
  if (data.state !== 'bot' && data.state !== 'closed') return
  await endWait(tx.db, { workspaceId, sessionId: data.session_id })
}

/** Counts a rating; who changes their mind is counted once, as they think last. */
export async function countFeedback(
  tx: Transaction,
  _event: 'feedback.given',
  envelope: EventEnvelope<'feedback.given'>,
): Promise<void> {
  const { rating, replaces } = envelope.data
  if (replaces) {
    recordCount(tx, envelope, {
      at: Date.parse(replaces.given_at),
      metrics: ratingMetrics(replaces.rating, -1),
    })
  }
  recordCount(tx, envelope, { metrics: ratingMetrics(rating, 1) })
}

function ratingMetrics(rating: number, times: 1 | -1): Partial<Record<Metric, number>> {
  return {
    ratings: times,
    rating_sum: times * rating,
    satisfied: rating >= SATISFIED ? times : 0,
  }
}
