import type { Context } from '../context.ts'
import { startLeaseHeartbeat } from '../jobs/heartbeat.ts'
import { type RequestKey, renewClaim } from '../platform/idempotency.ts'
import { type Hold, renewHold } from './ledger.ts'

/** A third of the leases of a hold and of an idempotency claim. */
const HEARTBEAT_INTERVAL_MS = 30_000

/** Work that credits are held for. */
interface HeldWork {
  hold: Hold
  /** Resolves once the hold is committed, where that may still be to come. */
  holdCommitted?: Promise<Hold>
  /** The claim of the request, where the caller chose its id. */
  key: RequestKey | undefined
}

/** Renews the hold and the claim of work that takes long, until the returned function is called. */
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
