import type { ClaimedDelivery } from '../queue/claim.ts'
import type { FairScheduler } from './fair-scheduler.ts'

/**
 * Deliveries that were written with a lease of this worker and wait for a place. Usually there is
 * one at once; in a burst they wait here, a few for each endpoint that answers as it should.
 */
export class LocalBuffer {
  readonly #lanes: FairScheduler
  readonly #byEndpoint = new Map<string, ClaimedDelivery[]>()
  #size = 0

  constructor(lanes: FairScheduler) {
    this.#lanes = lanes
  }

  get size(): number {
    return this.#size
  }

  countOf(endpointId: string): number {
    return this.#byEndpoint.get(endpointId)?.length ?? 0
  }

  add(delivery: ClaimedDelivery): void {
    const own = this.#byEndpoint.get(delivery.endpoint_id)
    if (own) own.push(delivery)
    else this.#byEndpoint.set(delivery.endpoint_id, [delivery])
    this.#size += 1
  }

  /** Takes out what has a place now, and what waits for too long: its lease ends by `latest`. */
  takeReady(latest: number): { ready: ClaimedDelivery[]; expired: ClaimedDelivery[] } {
    const ready: ClaimedDelivery[] = []
    const expired: ClaimedDelivery[] = []
    for (const [endpointId, own] of this.#byEndpoint) {
      const room = this.#lanes.freeSlots(endpointId)
      const [first] = own
      // Leases are in order, so that nothing is to be done where the first can wait.
      if (room === 0 && first && first.lease_until > latest) continue
      const good = own.filter((delivery) => delivery.lease_until > latest)
      for (const delivery of own) if (delivery.lease_until <= latest) expired.push(delivery)
      ready.push(...good.splice(0, room))
      if (good.length > 0) this.#byEndpoint.set(endpointId, good)
      else this.#byEndpoint.delete(endpointId)
    }
    this.#size -= ready.length + expired.length
    return { ready, expired }
  }

  /** Takes everything out. */
  clear(): ClaimedDelivery[] {
    const all = [...this.#byEndpoint.values()].flat()
    this.#byEndpoint.clear()
    this.#size = 0
    return all
  }
}
