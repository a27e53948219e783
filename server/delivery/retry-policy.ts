import type { WebhookKind } from './signature.ts'

/** One attempt may take so long, from the name's look-up to the final status. */
export const ATTEMPT_MS = 10_000

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long each family waits before each retry; one more attempt than waits. */
export const RETRY_SCHEDULE_MS: Record<WebhookKind, readonly number[]> = {
  platform: [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY],
  chat: [30 * SECOND, 5 * MINUTE, 30 * MINUTE],
}

/** How long what could not be delivered is kept so that it can be sent again by hand. */
export const DEAD_LETTER_RETENTION_MS: Record<WebhookKind, number> = {
  chat: 7 * DAY,
  platform: 30 * DAY,
}
/** How long events wait for an endpoint that takes none at the moment. */
export const PAUSED_RETENTION_MS = 7 * DAY
/** How long attempts and finished deliveries stay readable. */
export const ATTEMPT_RETENTION_MS = 30 * DAY

const MAX_RETRY_AFTER_MS = HOUR
/** Waits may be longer by up to this share, never shorter. */
const JITTER = 0.1
const RETRIED_STATUSES = new Set([408, 425, 429])
const RETRY_AFTER_STATUSES = new Set([429, 503])
const GONE = 410

/** What became of one attempt: the final status, or none and why. */
export interface AttemptEnd {
  status: number | null
  /** The `Retry-After` header as it came. */
  retryAfter?: string | undefined
}

export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: number }
  /** Not tried again by itself; `disable` says that the endpoint asked for no more (410). */
  | { kind: 'failed'; disable: boolean }
  /** The last attempt of the cycle failed. */
  | { kind: 'exhausted' }

/**
 * What follows from an attempt (contract, section 6).
 * `attempt` counts from 1 within the cycle; `now` is the attempt's end, from which the wait counts.
 * `jitter` is a random number in [0, 1) for the jitter.
 */
export function decideOutcome(
  family: WebhookKind,
  attempt: number,
  end: AttemptEnd,
  at: { now: number; timeScale: number; jitter: number },
): Verdict {
  if (isSuccess(end.status)) return { kind: 'delivered' }
  if (!isRetried(family, end.status)) return { kind: 'failed', disable: end.status === GONE }
  const wait = RETRY_SCHEDULE_MS[family][attempt - 1]
  if (wait === undefined) return { kind: 'exhausted' }
  const scaled = wait * at.timeScale * (1 + JITTER * at.jitter)
  const asked = retryAfterMs(end, at.now)
  return { kind: 'retry', at: at.now + Math.ceil(Math.max(scaled, asked)) }
}

/** Whether a status means that the delivery arrived. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

function isRetried(family: WebhookKind, status: number | null): boolean {
  if (family === 'chat' || status === null) return true
  return status >= 500 || RETRIED_STATUSES.has(status)
}

/** The wait in milliseconds that a 429 or 503 asks for, at most an hour; 0 when it asks for none. */
function retryAfterMs(end: AttemptEnd, now: number): number {
  if (end.status === null || !RETRY_AFTER_STATUSES.has(end.status)) return 0
  const value = end.retryAfter?.trim() ?? ''
  const wait = /^\d{1,10}$/.test(value) ? Number(value) * SECOND : httpDate(value) - now
  return Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS)
}

/** The only form of date that senders may still make (RFC 9110, 5.6.7); 0 when it is none. */
function httpDate(value: string): number {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return 0
  const time = Date.parse(value)
  return Number.isNaN(time) ? 0 : time
}
