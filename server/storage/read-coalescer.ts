import { settleWithin } from '../lib/timeout.ts'

/** A read that takes longer, on a connection that has stalled perhaps, is not waited for. */
const MAX_WAIT_MS = 100

interface Flight<Result> {
  current: Promise<Result>
  /** Starts when `current` has settled; shared by all calls until then. */
  next: Promise<Result> | undefined
}

/**
 * Shares equal reads: one per key is in flight, and all calls that arrive during it share the next
 * one. A read starts after each of its calls, so that it sees what was committed before the call.
 */
export class ReadCoalescer<Result> {
  readonly #flights = new Map<string, Flight<Result>>()

  /** Returns the result of `read`, called for the first of the calls that share it. */
  run(key: string, read: () => Promise<Result>): Promise<Result> {
    const flight = this.#flights.get(key)
    if (!flight) return this.#start(key, read)
    flight.next ??= this.#startAfter(flight, key, read)
    return flight.next
  }

  async #startAfter(
    { current }: Flight<Result>,
    key: string,
    read: () => Promise<Result>,
  ): Promise<Result> {
    // Its failure is for its own callers.
    await settleWithin(MAX_WAIT_MS, [current]).catch(() => undefined)
    return this.#start(key, read)
  }

  #start(key: string, read: () => Promise<Result>): Promise<Result> {
    const flight: Flight<Result> = { current: read(), next: undefined }
    this.#flights.set(key, flight)
    const end = () => {
      if (this.#flights.get(key) === flight && !flight.next) this.#flights.delete(key)
    }
    flight.current.then(end, end)
    return flight.current
  }
}
