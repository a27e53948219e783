import type { Priority, ClaimRequest } from '../queue/claim.ts'

const INITIAL_CONCURRENCY = 8
const MAX_CONCURRENCY = 64
/** An attempt that takes longer gives its place to others and counts with the slow ones. */
const SLOW_MS = 1_000
/** A lane takes at most this part of the slow places that are free. */
const SLOW_SHARE = 4
/** Retries share at most this part of the places, and this part of a turn while others wait. */
const RETRY_PLACES = 0.75
const RETRY_TURN = 0.25
/** A lane takes a few at a time, because each look for one endpoint costs as much as a few rows. */
const QUANTUM = 16
const MAX_LANES = 10_000

interface EndpointState {
  inFlight: number
  /** How many may be in flight: grows with success, halves when nothing answers. */
  limit: number
  /** Its last attempt got no answer, or a late one. */
  isSlow: boolean
}

/** One attempt that is under way. */
export interface InFlightAttempt {
  readonly endpointId: string
  readonly tier: Priority
  /** By the stopwatch, in milliseconds. */
  readonly startedAt: number
}

/**
 * Who may send next. Each endpoint has its lane, and the lanes take turns, so that a slow or dead
 * receiver delays no other: what waits for an answer for more than a second no longer counts
 * against the places of the quick ones.
 */
export class FairScheduler {
  readonly #lanes = new Map<string, EndpointState>()
  readonly #due: Record<Priority, Set<string>> = { 0: new Set(), 1: new Set() }
  /** What was noted since its last turn began, so that the turn may not have brought it. */
  readonly #dueSinceTurn: Record<Priority, Set<string>> = { 0: new Set(), 1: new Set() }
  readonly #quick = new Set<InFlightAttempt>()
  readonly #slow = new Set<InFlightAttempt>()
  /** Places of quick attempts; as many again are for slow ones. */
  readonly #most: number
  readonly #batch: number
  #retries = 0

  constructor(max: number, batch: number) {
    this.#most = max
    this.#batch = batch
  }

  get inFlight(): number {
    return this.#quick.size + this.#slow.size
  }

  /** Notes that an endpoint has something due. */
  add(endpointId: string, tier: Priority): void {
    this.#due[tier].add(endpointId)
    this.#dueSinceTurn[tier].add(endpointId)
  }

  /** Whether first attempts of an endpoint wait in the table. */
  isDue(endpointId: string): boolean {
    return this.#due[0].has(endpointId)
  }

  /** How many more an endpoint may have in flight now. */
  freeSlots(endpointId: string): number {
    this.demoteSlow()
    const lane = this.#laneOf(endpointId)
    return Math.max(0, Math.min(lane.limit - lane.inFlight, this.#free(lane)))
  }

  /** Whether an endpoint answers as it should, so that a place comes free in a moment. */
  isHealthy(endpointId: string): boolean {
    const { isSlow, limit } = this.#laneOf(endpointId)
    return !isSlow && limit >= INITIAL_CONCURRENCY
  }

  /** The next turns: who may claim how many. Lanes that got a turn go to the end of the line. */
  planClaims(): ClaimRequest[] {
    this.demoteSlow()
    const free = Math.min(this.#freeQuick(), this.#batch)
    // A handful at a time would cost a claim each; more places come free in a moment.
    const isTrickle = free < this.#batch / 4 && this.inFlight > this.#batch
    if (free <= 0 || isTrickle) return []
    const planned = new Map<string, number>()
    const places = Math.floor(this.#most * RETRY_PLACES) - this.#retries
    const part = this.#due[0].size > 0 ? Math.ceil(free * RETRY_TURN) : free
    const retries = this.#turns(1, Math.min(part, places), planned)
    const taken = retries.reduce((sum, want) => sum + want.count, 0)
    return [...retries, ...this.#turns(0, free - taken, planned)]
  }

  /** Notes what a turn brought: fewer than wanted means that nothing more is due. */
  recordClaim(want: ClaimRequest, count: number): void {
    const { endpointId, tier } = want
    const isNew = this.#dueSinceTurn[tier].has(endpointId)
    if (count < want.count && !isNew) this.#due[tier].delete(endpointId)
  }

  start(endpointId: string, tier: Priority): InFlightAttempt {
    const lane = this.#laneOf(endpointId)
    const flight = { endpointId, tier, startedAt: performance.now() }
    lane.inFlight += 1
    if (tier === 1) this.#retries += 1
    if (lane.isSlow) this.#slow.add(flight)
    else this.#quick.add(flight)
    return flight
  }

  /** Notes the end of an attempt; `answered` when any status came. */
  end(flight: InFlightAttempt, answered: boolean): void {
    const { endpointId, tier, startedAt } = flight
    if (!this.#quick.delete(flight)) this.#slow.delete(flight)
    if (tier === 1) this.#retries -= 1
    const lane = this.#laneOf(endpointId)
    lane.inFlight -= 1
    lane.isSlow = !answered || performance.now() - startedAt > SLOW_MS
    lane.limit = answered
      ? Math.min(lane.limit + 1, MAX_CONCURRENCY)
      : Math.max(1, Math.floor(lane.limit / 2))
    const isWanted = this.#due[0].has(endpointId) || this.#due[1].has(endpointId)
    if (this.#lanes.size > MAX_LANES && lane.inFlight === 0 && !isWanted) {
      this.#lanes.delete(endpointId)
    }
  }

  #turns(tier: Priority, room: number, planned: Map<string, number>): ClaimRequest[] {
    const wants: ClaimRequest[] = []
    const due = this.#due[tier]
    const turn = Math.max(QUANTUM, Math.floor(room / Math.max(due.size, 1)))
    let free = room
    for (const endpointId of due) {
      if (free <= 0) break
      const lane = this.#laneOf(endpointId)
      const before = planned.get(endpointId) ?? 0
      const own = Math.min(lane.limit - lane.inFlight, this.#free(lane)) - before
      const count = Math.min(own, free, turn)
      if (count <= 0) continue
      wants.push({ endpointId, tier, count })
      planned.set(endpointId, before + count)
      free -= count
    }
    for (const { endpointId } of wants) {
      due.delete(endpointId)
      due.add(endpointId)
      this.#dueSinceTurn[tier].delete(endpointId)
    }
    return wants
  }

  /** Moves what has waited too long for its answer out of the places of the quick ones. */
  demoteSlow(): void {
    const before = performance.now() - SLOW_MS
    for (const flight of this.#quick) {
      if (flight.startedAt > before) return
      this.#quick.delete(flight)
      this.#slow.add(flight)
    }
  }

  #freeQuick(): number {
    return this.#most - this.#quick.size - Math.max(0, this.#slow.size - this.#most)
  }

  #free(lane: EndpointState): number {
    if (!lane.isSlow) return this.#freeQuick()
    return Math.ceil((this.#most - this.#slow.size) / SLOW_SHARE)
  }

  #laneOf(endpointId: string): EndpointState {
    const known = this.#lanes.get(endpointId)
    if (known) return known
    const lane = { inFlight: 0, limit: INITIAL_CONCURRENCY, isSlow: false }
    this.#lanes.set(endpointId, lane)
    return lane
  }
}
