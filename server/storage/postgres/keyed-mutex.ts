import { settleWithin } from '../../lib/timeout.ts'

const WAIT_TIMEOUT_MS = 500

/** Lets the transactions of this process that lock the same row take turns. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * Resolves with a function that releases the key, once the key is free or the timeout has passed:
   * the holder may be waiting in the database for a lock of this transaction.
   */
  async acquire(key: string): Promise<() => void> {
    const previous = this.#last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(key, promise)
    if (previous) await settleWithin(WAIT_TIMEOUT_MS, [previous])
    return () => {
      if (this.#last.get(key) === promise) this.#last.delete(key)
      resolve()
    }
  }
}
