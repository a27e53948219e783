import type { Context } from '../context.ts'
import { startLeaseHeartbeat } from '../jobs/heartbeat.ts'
import { MINUTE_MS, SECOND_MS } from '../lib/durations.ts'
import { type RequestKey, renewClaim } from '../platform/idempotency.ts'
import { type Hold, renewHold } from './ledger.ts'

/** A third of the lease of a hold and of an idempotency claim. */
const HEARTBEAT_INTERVAL_MS = 30_000
const RETRY_INTERVAL_MS = SECOND_MS / 2
/** By then every lease of the work has lapsed. */
const GIVE_UP_MS = 2 * MINUTE_MS

/** Work that a hold of credits pays for. */
interface HeldWork {
  hold: Hold
  /** Resolves once the hold is committed; absent when it already is. */
  holdCommitted?: Promise<Hold>
  /** The idempotency claim; undefined for a request without an id of the caller. */
  key: RequestKey | undefined
}

/** Renews the leases of a hold and of its claim until the returned function is called. */
export function startHoldHeartbeat(
  ctx: Context,
  { hold, holdCommitted, key }: HeldWork,
): () => void {
  return startLeaseHeartbeat({
    clock: ctx.clock,
    intervalMs: HEARTBEAT_INTERVAL_MS,
    async renew() {
      await holdCommitted
      const [isHeld, isClaimed] = await Promise.all([
        renewHold(ctx, hold),
        key && renewClaim(ctx, key),
      ])
      return isHeld || isClaimed === true
    },
    onFailure: (error) =>
      ctx.log.warn(
        { event: 'hold.renewal_failed', err: error, hold: hold.id },
        'hold renewal failed',
      ),
  })
}

/**
 * Runs `work`, which gives back the hold and the claim of a request that failed; rejects as `work` does.
 * While the database does not take it, `work` is tried again: a caller who asks again under the same id
 * would otherwise wait for a lease that nobody holds. `work` is idempotent.
 */
export async function giveBack(ctx: Context, work: () => Promise<unknown>): Promise<void> {
  const until = ctx.now() + GIVE_UP_MS
  const tryAgain = (): void => {
    if (ctx.now() < until) ctx.clock.after(RETRY_INTERVAL_MS, () => void work().catch(tryAgain))
  }
  try {
    await work()
  } catch (error) {
    tryAgain()
    throw error
  }
}
