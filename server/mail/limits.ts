import type { Context, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { countAgainstLimits, deleteEndedCounters, uncountAgainstLimits } from './store.ts'

/** At most `max` mails in a window of `ms`; `of` names the counter. */
export interface MailLimit {
  of: string
  max: number
  ms: number
}

/**
 * Counts a mail in each limit, in their order, which is the order of the locks; returns 0, or, where
 * a limit is reached, the milliseconds until the mail may be sent; it counts nowhere then. The
 * counters are keyed digests.
 */
export async function countMail(tx: Transaction, limits: readonly MailLimit[]): Promise<number> {
  const counters = limits.map(({ of, max, ms }) => ({
    counter: tx.secrets.digest(`mails ${of}`),
    max,
    ms,
  }))
  const now = tx.now()
  const counted = await countAgainstLimits(tx.db, counters, now)
  const full = counters.flatMap(({ counter, max }) =>
    counted.filter((one) => one.counter === counter && one.sent > max),
  )
  if (full.length === 0) return 0
  await uncountAgainstLimits(tx.db, counters)
  return Math.max(...full.map(({ ends_at }) => ends_at)) - now
}

/** Returns the refusal of a mail that may be sent after a time. */
export function mailLimitError(waitMs: number): AppError {
  return new AppError('rate_limited', 'The mail limit is reached. Try again later.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  })
}

/** Deletes the counters whose window has ended. Idempotent. */
export async function expireMailCounters(ctx: Context): Promise<void> {
  await deleteEndedCounters(ctx.db, ctx.now())
}
