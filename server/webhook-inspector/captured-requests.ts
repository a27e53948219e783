import type { SignatureCheck } from './signature-checks.ts'

const MAX_CAPTURED = 50
const MAX_BODY_CHARACTERS = 64 * 1024

/** A request to the development receiver. */
export interface CapturedRequest {
  /** Milliseconds since 1970. */
  at: number
  path: string
  /** In the order in which they came, names as they are in HTTP/2. */
  headers: [name: string, value: string][]
  /** The beginning of it, when it is long. */
  body: string
  verdicts: SignatureCheck[]
  /** What it was answered with. */
  status: number
  /** How often this delivery has arrived by now; 0 for a request without an id. */
  attempt: number
}

/** The last requests, in memory and in this process only. */
export class CapturedRequests {
  readonly #requests: CapturedRequest[] = []

  add(arrived: Omit<CapturedRequest, 'attempt'>): CapturedRequest {
    const id = deliveryOf(arrived)
    const earlier = this.#requests.filter((other) => id !== undefined && deliveryOf(other) === id)
    const arrival = {
      ...arrived,
      body: arrived.body.slice(0, MAX_BODY_CHARACTERS),
      attempt: id === undefined ? 0 : earlier.length + 1,
    }
    this.#requests.unshift(arrival)
    this.#requests.splice(MAX_CAPTURED)
    return arrival
  }

  /** New ones first. */
  list(): readonly CapturedRequest[] {
    return this.#requests
  }

  clear(): void {
    this.#requests.length = 0
  }
}

function deliveryOf({ headers }: Pick<CapturedRequest, 'headers'>): string | undefined {
  return headers.find(([name]) => name === 'webhook-id')?.[1]
}
