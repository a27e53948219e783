import type { Clock } from '../lib/clock.ts'

/** The lease that a heartbeat renews. */
interface Heartbeat {
  clock: Clock
  /** A third of the length of the lease leaves room for two renewals that fail. */
  intervalMs: number
  /** Renews the lease; false when another owner has the lease, or when it is gone. */
  renew: () => Promise<boolean>
  /** A renewal failed; the next interval tries again. */
  onFailure: (error: unknown) => void
  /** The lease is lost, and the heartbeat has stopped. Called at most once. */
  onLost?: () => void
}

/** Renews a lease at each interval until the returned function is called, or the lease is lost. */
export function startLeaseHeartbeat(heartbeat: Heartbeat): () => void {
  const { clock, intervalMs, renew, onFailure, onLost } = heartbeat
  let isStopped = false
  let cancel = clock.after(intervalMs, beat)

  function beat(): void {
    cancel = clock.after(intervalMs, beat)
    renew().then((isHeld) => {
      if (isHeld || isStopped) return
      stop()
      onLost?.()
    }, onFailure)
  }

  function stop(): void {
    isStopped = true
    cancel()
  }

  return stop
}
