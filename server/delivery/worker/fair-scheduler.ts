import type { DeliveryPriority, ClaimRequest } from '../queue/claim.ts'

const INITIAL_CONCURRENCY = 8
const MAX_CONCURRENCY = 64
/** A longer attempt frees its slot for others and occupies a slow slot. */
const SLOW_MS = 1_000
/** An endpoint may take this fraction (1/n) of the free slow slots. */
const SLOW_SHARE = 4
/** Share of the slots for retries, and their share of a claim while first attempts wait. */
const RETRY_SLOT_SHARE = 0.75
const RETRY_CLAIM_SHARE = 0.25
/** Deliveries per turn of an endpoint, because a query per endpoint costs as much as a few rows. */
const QUANTUM = 16
const MAX_ENDPOINT_STATES = 10_000

interface EndpointState {
  inFlight: number
  /** The AIMD limit of attempts in flight: grows with responses, halves when an attempt gets no response. */
  limit: number
  /** The last attempt got a late response, or none. */
  isSlow: boolean
}

/** An attempt in flight. */
export interface InFlightAttempt {
  readonly endpointId: string
  readonly tier: DeliveryPriority
  /** Monotonic time, in milliseconds. */
  readonly startedAt: number
}

/**
 * Round-robin over the endpoints, so that a slow or dead receiver delays no other: an attempt without
 * a response after one second moves from a quick slot to a slow one.
 */
export class FairScheduler {
  readonly #endpoints = new Map<string, EndpointState>()
  readonly #due: Record<DeliveryPriority, Set<string>> = { 0: new Set(), 1: new Set() }
  /** Endpoints that became due after the start of their turn, which may have missed the delivery. */
  readonly #dueSinceTurn: Record<DeliveryPriority, Set<string>> = { 0: new Set(), 1: new Set() }
  readonly #quick = new Set<InFlightAttempt>()
  readonly #slow = new Set<InFlightAttempt>()
  /** Slots for quick attempts; slow attempts have as many of their own. */
  readonly #maxQuick: number
  readonly #batch: number
  #retries = 0

  constructor(max: number, batch: number) {
    this.#maxQuick = max
    this.#batch = batch
  }

  get inFlight(): number {
    return this.#quick.size + this.#slow.size
  }

  /** Marks an endpoint as due. */
  add(endpointId: string, tier: DeliveryPriority): void {
    this.#due[tier].add(endpointId)
    this.#dueSinceTurn[tier].add(endpointId)
  }

  /** Whether the table holds due first attempts of an endpoint. */
  isDue(endpointId: string): boolean {
    return this.#due[0].has(endpointId)
  }

  /** Returns the number of further attempts that an endpoint may have in flight. */
  freeSlots(endpointId: string): number {
    this.demoteSlow()
    const endpoint = this.#stateOf(endpointId)
    return Math.max(0, Math.min(endpoint.limit - endpoint.inFlight, this.#free(endpoint)))
  }

  /** Whether an endpoint responds quickly, so that a slot will be free soon. */
  isHealthy(endpointId: string): boolean {
    const { isSlow, limit } = this.#stateOf(endpointId)
    return !isSlow && limit >= INITIAL_CONCURRENCY
  }

  /** Plans the next claims. Endpoints that get a turn move to the end of the queue. */
  planClaims(): ClaimRequest[] {
    this.demoteSlow()
    const free = Math.min(this.#freeQuick(), this.#batch)
    // Waits for more free slots, because each small claim would cost a query.
    const isTrickle = free < this.#batch / 4 && this.inFlight > this.#batch
    if (free <= 0 || isTrickle) return []
    const planned = new Map<string, number>()
    const retrySlots = Math.floor(this.#maxQuick * RETRY_SLOT_SHARE) - this.#retries
    const maxRetries = this.#due[0].size > 0 ? Math.ceil(free * RETRY_CLAIM_SHARE) : free
    const retries = this.#planTier(1, Math.min(maxRetries, retrySlots), planned)
    const retryCount = retries.reduce((sum, claim) => sum + claim.count, 0)
    return [...retries, ...this.#planTier(0, free - retryCount, planned)]
  }

  /** Records a claim: fewer deliveries than requested mean that the endpoint is not due any more. */
  recordClaim(claim: ClaimRequest, count: number): void {
    const { endpointId, tier } = claim
    const isNew = this.#dueSinceTurn[tier].has(endpointId)
    if (count < claim.count && !isNew) this.#due[tier].delete(endpointId)
  }

  start(endpointId: string, tier: DeliveryPriority): InFlightAttempt {
    const endpoint = this.#stateOf(endpointId)
    const attempt = { endpointId, tier, startedAt: performance.now() }
    endpoint.inFlight += 1
    if (tier === 1) this.#retries += 1
    if (endpoint.isSlow) this.#slow.add(attempt)
    else this.#quick.add(attempt)
    return attempt
  }

  /** Records the end of an attempt; `answered`: with a status. */
  end(attempt: InFlightAttempt, answered: boolean): void {
    const { endpointId, tier, startedAt } = attempt
    if (!this.#quick.delete(attempt)) this.#slow.delete(attempt)
    if (tier === 1) this.#retries -= 1
    const endpoint = this.#stateOf(endpointId)
    endpoint.inFlight -= 1
    endpoint.isSlow = !answered || performance.now() - startedAt > SLOW_MS
    endpoint.limit = answered
      ? Math.min(endpoint.limit + 1, MAX_CONCURRENCY)
      : Math.max(1, Math.floor(endpoint.limit / 2))
    const isWanted = this.#due[0].has(endpointId) || this.#due[1].has(endpointId)
    if (this.#endpoints.size > MAX_ENDPOINT_STATES && endpoint.inFlight === 0 && !isWanted) {
      this.#endpoints.delete(endpointId)
    }
  }

  #planTier(tier: DeliveryPriority, slots: number, planned: Map<string, number>): ClaimRequest[] {
    const claims: ClaimRequest[] = []
    const due = this.#due[tier]
    const turn = Math.max(QUANTUM, Math.floor(slots / Math.max(due.size, 1)))
    let free = slots
    for (const endpointId of due) {
      if (free <= 0) break
      const endpoint = this.#stateOf(endpointId)
      const before = planned.get(endpointId) ?? 0
      const available = Math.min(endpoint.limit - endpoint.inFlight, this.#free(endpoint)) - before
      const count = Math.min(available, free, turn)
      if (count <= 0) continue
      claims.push({ endpointId, tier, count })
      planned.set(endpointId, before + count)
      free -= count
    }
    for (const { endpointId } of claims) {
      due.delete(endpointId)
      due.add(endpointId)
      this.#dueSinceTurn[tier].delete(endpointId)
    }
    return claims
  }

  /** Moves attempts that exceed `SLOW_MS` to slow slots. */
  demoteSlow(): void {
    const before = performance.now() - SLOW_MS
    for (const attempt of this.#quick) {
      if (attempt.startedAt > before) return
      this.#quick.delete(attempt)
      this.#slow.add(attempt)
    }
  }

  #freeQuick(): number {
    return this.#maxQuick - this.#quick.size - Math.max(0, this.#slow.size - this.#maxQuick)
  }

  #free(endpoint: EndpointState): number {
    if (!endpoint.isSlow) return this.#freeQuick()
    return Math.ceil((this.#maxQuick - this.#slow.size) / SLOW_SHARE)
  }

  #stateOf(endpointId: string): EndpointState {
    const known = this.#endpoints.get(endpointId)
    if (known) return known
    const endpoint = { inFlight: 0, limit: INITIAL_CONCURRENCY, isSlow: false }
    this.#endpoints.set(endpointId, endpoint)
    return endpoint
  }
}
