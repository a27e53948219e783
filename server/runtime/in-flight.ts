import { AppError } from '../http/errors.ts'
import { SwapRemoveSet } from '../lib/swap-remove-set.ts'

declare module '../context.ts' {
  interface Services {
    /** The model work that a shutdown waits for. */
    readonly inFlight: InFlightWork
  }
}

const RETRY_AFTER_SECONDS = 5

/**
 * Model work of this process that somebody waits for. A shutdown lets the work finish, and after a
 * grace period aborts it in order: credits go back, and each caller gets a 503 with `Retry-After`.
 */
export class InFlightWork {
  readonly #open = new SwapRemoveSet<AbortController>()
  readonly #waiting: (() => void)[] = []
  #isStopped = false

  /** Registers work until the returned function is called; aborts it at once after a shutdown. */
  add(work: AbortController): () => void {
    const leave = this.#open.add(work)
    if (this.#isStopped) work.abort(restarting())
    return () => {
      leave()
      if (this.#open.size > 0) return
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Aborts all work, and all that is added later; see `shutdownReason`. Idempotent. */
  stop(): void {
    this.#isStopped = true
    for (const work of this.#open.all()) work.abort(restarting())
  }

  /** Resolves once no work is in flight. */
  async ended(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

/** The problem to answer with where a shutdown aborted the work; undefined for a caller's abort. */
export function shutdownReason(signal: AbortSignal): AppError | undefined {
  const reason: unknown = signal.reason
  return reason instanceof AppError ? reason : undefined
}

function restarting(): AppError {
  return new AppError('unavailable', 'The service is restarting. Nothing was charged. Try again.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
