import type { Verdict } from './verdicts.ts'

const MOST_KEPT = 50
const MOST_BODY_CHARACTERS = 64 * 1024

/** A request to the development receiver. */
export interface Arrival {
  /** Milliseconds since 1970. */
  at: number
  path: string
  /** In the order in which they came, names as they are in HTTP/2. */
  headers: [name: string, value: string][]
  /** The beginning of it, when it is long. */
  body: string
  verdicts: Verdict[]
  /** What it was answered with. */
  status: number
  /** How often this delivery has arrived by now; 0 for a request without an id. */
  attempt: number
}

/** The last requests, in memory and in this process only. */
export class Arrivals {
  readonly #kept: Arrival[] = []

  add(arrived: Omit<Arrival, 'attempt'>): Arrival {
    const id = deliveryOf(arrived)
    const earlier = this.#kept.filter((other) => id !== undefined && deliveryOf(other) === id)
    const arrival = {
      ...arrived,
      body: arrived.body.slice(0, MOST_BODY_CHARACTERS),
      attempt: id === undefined ? 0 : earlier.length + 1,
    }
    this.#kept.unshift(arrival)
    this.#kept.splice(MOST_KEPT)
    return arrival
  }

  /** New ones first. */
  list(): readonly Arrival[] {
    return this.#kept
  }

  clear(): void {
    this.#kept.length = 0
  }
}

function deliveryOf({ headers }: Pick<Arrival, 'headers'>): string | undefined {
  return headers.find(([name]) => name === 'webhook-id')?.[1]
}
