import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/durations.ts'
import type { WebhookKind } from './signature.ts'

/** Deadline of an attempt, from the DNS lookup to the final status. */
export const ATTEMPT_TIMEOUT_MS = 10_000

/** The wait before each retry, per webhook kind; one more attempt than waits. */
export const RETRY_SCHEDULE_MS: Record<WebhookKind, readonly number[]> = {
  platform: [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS],
  chat: [30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
}

/** Retention of dead letters, within which they can be sent again. */
export const DEAD_LETTER_RETENTION_MS: Record<WebhookKind, number> = {
  chat: 7 * DAY_MS,
  platform: 30 * DAY_MS,
}
/** Retention of the paused deliveries of an inactive endpoint. */
export const PAUSED_RETENTION_MS = 7 * DAY_MS
/** Retention of attempts and finished deliveries. */
export const ATTEMPT_RETENTION_MS = 30 * DAY_MS

const MAX_RETRY_AFTER_MS = HOUR_MS
/** Largest share by which jitter lengthens a wait; jitter never shortens one. */
const JITTER = 0.1
const RETRIED_STATUSES = new Set([408, 425, 429])
const RETRY_AFTER_STATUSES = new Set([429, 503])
const GONE = 410

/** The end of an attempt, as far as the retry decision needs it. */
export interface AttemptEnd {
  /** The final HTTP status, or null without one. */
  status: number | null
  /** The raw `Retry-After` header. */
  retryAfter?: string | undefined
}

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: number }
  /** Final without a retry; `disable`: the endpoint responded with 410. */
  | { kind: 'failed'; disable: boolean }
  /** The last attempt of the cycle failed. */
  | { kind: 'exhausted' }

/**
 * Decides what follows an attempt. `attempt` counts from 1 within the cycle;
 * `now` is the attempt's end, at which the wait starts; `jitter` is a random number in [0, 1).
 * `Retry-After` can lengthen a wait and never shortens one.
 */
export function decideOutcome(
  kind: WebhookKind,
  attempt: number,
  end: AttemptEnd,
  at: { now: number; timeScale: number; jitter: number },
): Verdict {
  if (isSuccess(end.status)) return { kind: 'delivered' }
  if (!isRetried(kind, end.status)) return { kind: 'failed', disable: end.status === GONE }
  const wait = RETRY_SCHEDULE_MS[kind][attempt - 1]
  if (wait === undefined) return { kind: 'exhausted' }
  const scaled = wait * at.timeScale * (1 + JITTER * at.jitter)
  const requested = retryAfterMs(end, at.now)
  return { kind: 'retry', at: at.now + Math.ceil(Math.max(scaled, requested)) }
}

/** Whether a status means that the receiver accepted the delivery. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

function isRetried(family: WebhookKind, status: number | null): boolean {
  if (family === 'chat' || status === null) return true
  return status >= 500 || RETRIED_STATUSES.has(status)
}

/** Returns the `Retry-After` of a 429 or 503 in milliseconds, at most an hour; 0 without one. */
function retryAfterMs(end: AttemptEnd, now: number): number {
  if (end.status === null || !RETRY_AFTER_STATUSES.has(end.status)) return 0
  const value = end.retryAfter?.trim() ?? ''
  const wait = /^\d{1,10}$/.test(value) ? Number(value) * SECOND_MS : httpDate(value) - now
  return Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}

/** Parses an IMF-fixdate, the only form that senders may generate (RFC 9110, 5.6.7); else 0. */
function httpDate(value: string): number {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return 0
  const time = Date.parse(value)
  return Number.isNaN(time) ? 0 : time
}
