import { type Transaction, allDone, sharedRead } from '../context.ts'
import type { EventEnvelope, EventPlace } from '../events.ts'
import type { EventName } from '../events/registry.ts'
import { addCount, readTimeZone } from './counter-store.ts'
import type { Metric, NewCount } from './schema.ts'
import { beginWait, endWait, listFirstMessages } from './store.ts'
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
  'lead.kept': 'leads',
  'appointment.created': 'appointments',
} as const satisfies Record<string, Metric>

/** Increments the metric of an event by one. */
export async function countEvent(
  tx: Transaction,
  event: keyof typeof COUNTED,
  envelope: EventEnvelope<keyof typeof COUNTED>,
): Promise<void> {
  recordCount(tx, envelope, { metrics: { [COUNTED[event]]: 1 } })
}

/** Counts a session and the page of its start. */
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

/** Returns host and path of a page. Query, fragment and user name may identify a person. */
function pagePath(url: string | null): string | undefined {
  if (url === null || !URL.canParse(url)) return undefined
  const { protocol, host, pathname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  return [...`${host}${pathname}`].slice(0, MAX_PAGE_LENGTH).join('')
}

/**
 * Counts a visitor's message. `talks` and `longer_talks` both belong to the day of the session's first
 * message, so that their ratio describes the same sessions.
 */
export async function countReceivedMessage(
  tx: Transaction,
  _event: 'message.received',
  envelope: EventEnvelope<'message.received'>,
): Promise<void> {
  const { workspaceId, data } = envelope
  recordCount(tx, envelope, { metrics: { visitor_messages: 1 } })
  const stored = envelope.isNewSession
    ? []
    : await readFirstMessages(tx, workspaceId, data.session_id)
  readFirstMessages.forget(tx, workspaceId, data.session_id)
  const earlier = stored.filter(({ id }) => id !== data.message_id)
  const at = earlier[0]?.created_at ?? Date.parse(data.received_at)
  if (earlier.length === 0) recordCount(tx, envelope, { at, metrics: { talks: 1 } })
  if (earlier.length === 1) recordCount(tx, envelope, { at, metrics: { longer_talks: 1 } })
}

const readFirstMessages = sharedRead((tx, workspaceId: string, sessionId: string) =>
  listFirstMessages(tx.db, { workspaceId, sessionId }),
)

countReceivedMessage.prefetch = (
  tx: Transaction,
  _event: EventName,
  { workspaceId, sessionId }: EventPlace,
): Promise<unknown> =>
  allDone([
    readTimeZone(tx, workspaceId),
    ...(sessionId === undefined ? [] : [readFirstMessages(tx, workspaceId, sessionId)]),
  ])

/** Counts a message of the bot or an operator, and the visitor's wait for the operator. */
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

countSentMessage.prefetch = (
  tx: Transaction,
  _event: EventName,
  { workspaceId }: EventPlace,
): Promise<unknown> => readTimeZone(tx, workspaceId)

/** Counts unanswered messages; `message.sent` counts all replies as answered, which those to a part of a message stay. */
export async function countUnansweredQuestions(
  tx: Transaction,
  _event: 'questions.unanswered',
  { workspaceId, data }: EventEnvelope<'questions.unanswered'>,
): Promise<void> {
  for (const { tenant_id: tenantId, is_partial: isPartial } of data.questions) {
    if (isPartial) continue
    addCount(tx, { workspaceId, tenantId, metrics: { answered: -1, unanswered: 1 } })
  }
}

/** Counts a handoff and starts the visitor's wait. */
export async function countHandoff(
  tx: Transaction,
  _event: 'handoff.requested',
  envelope: EventEnvelope<'handoff.requested'>,
): Promise<void> {
  const { workspaceId, data } = envelope
  recordCount(tx, envelope, { metrics: { handoffs: 1 } })
  await beginWait(tx.db, { workspaceId, sessionId: data.session_id }, tx.now())
}

/** Ends the wait of a session that returns to the bot or is closed. */
export async function endWaitOnStateChange(
  tx: Transaction,
  _event: 'session.changed',
  { workspaceId, data }: EventEnvelope<'session.changed'>,
): Promise<void> {
  if (data.state !== 'bot' && data.state !== 'closed') return
  await endWait(tx.db, { workspaceId, sessionId: data.session_id })
}

/** Counts a rating; a changed rating replaces the earlier one on the earlier one's day. */
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
