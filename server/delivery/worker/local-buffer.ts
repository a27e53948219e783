import type { ClaimedDelivery } from '../queue/claim.ts'
import type { FairScheduler } from './fair-scheduler.ts'

/**
 * Deliveries that were dispatched in memory, with a lease of this worker, and wait for a slot. In a
 * burst the buffer holds a few for each healthy endpoint.
 */
export class LocalBuffer {
  readonly #scheduler: FairScheduler
  readonly #byEndpoint = new Map<string, ClaimedDelivery[]>()
  #size = 0

  constructor(scheduler: FairScheduler) {
    this.#scheduler = scheduler
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

  /** Removes deliveries with a free slot, and expired ones, whose lease ends by `latest`. */
  takeReady(latest: number): { ready: ClaimedDelivery[]; expired: ClaimedDelivery[] } {
    const ready: ClaimedDelivery[] = []
    const expired: ClaimedDelivery[] = []
    for (const [endpointId, own] of this.#byEndpoint) {
      const slots = this.#scheduler.freeSlots(endpointId)
      const [first] = own
      // Leases are in order: without a slot, an unexpired first one leaves nothing to do.
      if (slots === 0 && first && first.lease_until > latest) continue
      const waiting = own.filter((delivery) => delivery.lease_until > latest)
      for (const delivery of own) if (delivery.lease_until <= latest) expired.push(delivery)
      ready.push(...waiting.splice(0, slots))
      if (waiting.length > 0) this.#byEndpoint.set(endpointId, waiting)
      else this.#byEndpoint.delete(endpointId)
    }
    this.#size -= ready.length + expired.length
    return { ready, expired }
  }

  /** Removes and returns all deliveries. */
  clear(): ClaimedDelivery[] {
    const all = [...this.#byEndpoint.values()].flat()
    this.#byEndpoint.clear()
    this.#size = 0
    return all
  }
}
