import type { Context } from '../context.ts'
import { startLeaseHeartbeat } from '../jobs/heartbeat.ts'
import { type RequestKey, renewClaim } from '../platform/idempotency.ts'
import { type Hold, renewHold } from './ledger.ts'

/** A third of the lease of a hold and of an idempotency claim. */
const HEARTBEAT_INTERVAL_MS = 30_000

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
