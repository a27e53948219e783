import { AppError } from '../http/errors.ts'
import { Roster } from '../lib/swap-remove-set.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * What models work on for somebody, in this process. A process that stops lets it finish, and in the
 * end stops it in order: its credits go back, and its caller is told to come again.
 */
export class UnderWay {
  readonly #open = new Roster<AbortController>()
  readonly #waiting: (() => void)[] = []
  #isStopped = false

  /** The returned function says that the work has come to its end. */
  add(work: AbortController): () => void {
    const leave = this.#open.add(work)
    if (this.#isStopped) work.abort(restarting())
    return () => {
      leave()
      if (this.#open.size > 0) return
      for (const resolve of this.#waiting.splice(0)) resolve()
    }
  }

  /** Stops all of it, and what still comes; see `stoppedBy`. */
  stop(): void {
    this.#isStopped = true
    for (const work of this.#open.all()) work.abort(restarting())
  }

  /** Resolves once nothing is under way. */
  async ended(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

/** Why work was stopped, where that was not its caller's doing. */
export function stoppedBy(signal: AbortSignal): AppError | undefined {
  const reason: unknown = signal.reason
  return reason instanceof AppError ? reason : undefined
}

function restarting(): AppError {
  return new AppError('unavailable', 'The service is restarting. Nothing was charged: try again.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}
