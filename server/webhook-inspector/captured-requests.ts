import type { SignatureCheck } from './signature-checks.ts'

const MAX_CAPTURED = 50
const MAX_BODY_CHARACTERS = 64 * 1024

/** A request that the webhook inspector captured. */
export interface CapturedRequest {
  /** Milliseconds since 1970. */
  at: number
  path: string
  /** In order of arrival, with lower-case names. */
  headers: [name: string, value: string][]
  /** Truncated at 64 Ki characters. */
  body: string
  checks: SignatureCheck[]
  /** The status of the response. */
  status: number
  /** The number of this attempt of the delivery; 0 for a request without an id. */
  attempt: number
}

/** The latest requests, in the memory of this process. */
export class CapturedRequests {
  readonly #requests: CapturedRequest[] = []

  add(request: Omit<CapturedRequest, 'attempt'>): CapturedRequest {
    const id = deliveryOf(request)
    const earlier = this.#requests.filter((other) => id !== undefined && deliveryOf(other) === id)
    const captured = {
      ...request,
      body: request.body.slice(0, MAX_BODY_CHARACTERS),
      attempt: id === undefined ? 0 : earlier.length + 1,
    }
    this.#requests.unshift(captured)
    this.#requests.splice(MAX_CAPTURED)
    return captured
  }

  /** Lists the requests, newest first. */
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
