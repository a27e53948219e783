import type { Want } from './claim.ts'

const FIRST_LIMIT = 8
const HIGHEST_LIMIT = 64
/** Endpoints that do not answer share at most this part of all places. */
const FAILING_SHARE = 0.5
const MOST_LANES = 10_000

interface Lane {
  inFlight: number
  /** How many may be in flight: grows with success, halves when nothing answers. */
  limit: number
  isFailing: boolean
}

/**
 * Who may send next. Each endpoint has its lane, and the lanes take turns, so that a slow or dead
 * receiver delays no other.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #due = new Set<string>()
  readonly #most: number
  readonly #batch: number
  #inFlight = 0
  #failing = 0

  constructor(most: number, batch: number) {
    this.#most = most
    this.#batch = batch
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Notes that an endpoint has something due. */
  add(endpointId: string): void {
    this.#due.add(endpointId)
  }

  /** The next turns: who may claim how many. Lanes that got a turn go to the end of the line. */
  take(): Want[] {
    const wants: Want[] = []
    let free = Math.min(this.#most - this.#inFlight, this.#batch)
    let freeFailing = this.#most * FAILING_SHARE - this.#failing
    const share = Math.max(1, Math.floor(free / Math.max(this.#due.size, 1)))
    for (const endpointId of this.#due) {
      if (free <= 0) break
      const lane = this.#laneOf(endpointId)
      const room = Math.min(lane.limit - lane.inFlight, free, share)
      const count = lane.isFailing ? Math.min(room, Math.max(0, Math.floor(freeFailing))) : room
      if (count <= 0) continue
      wants.push({ endpointId, count })
      free -= count
      if (lane.isFailing) freeFailing -= count
    }
    for (const { endpointId } of wants) {
      this.#due.delete(endpointId)
      this.#due.add(endpointId)
    }
    return wants
  }

  /** Notes what a turn brought: fewer than wanted means that nothing more is due. */
  claimed(want: Want, count: number): void {
    if (count < want.count) this.#due.delete(want.endpointId)
  }

  start(endpointId: string): void {
    const lane = this.#laneOf(endpointId)
    lane.inFlight += 1
    this.#inFlight += 1
    if (lane.isFailing) this.#failing += 1
  }

  /** Notes the end of an attempt; `answered` when any status came. */
  end(endpointId: string, answered: boolean): void {
    const lane = this.#laneOf(endpointId)
    if (lane.isFailing) this.#failing -= lane.inFlight
    lane.inFlight -= 1
    this.#inFlight -= 1
    lane.isFailing = !answered
    if (lane.isFailing) this.#failing += lane.inFlight
    lane.limit = answered
      ? Math.min(lane.limit + 1, HIGHEST_LIMIT)
      : Math.max(1, Math.floor(lane.limit / 2))
    if (this.#lanes.size > MOST_LANES && lane.inFlight === 0 && !this.#due.has(endpointId)) {
      this.#lanes.delete(endpointId)
    }
  }

  #laneOf(endpointId: string): Lane {
    const known = this.#lanes.get(endpointId)
    if (known) return known
    const lane = { inFlight: 0, limit: FIRST_LIMIT, isFailing: false }
    this.#lanes.set(endpointId, lane)
    return lane
  }
}
