import type { ClaimedDelivery } from './claim.ts'

/** A lease that a consumer grants before the row exists. */
export interface ReservedLease {
  token: string
  /** When the lease expires, in milliseconds. */
  until: number
}

/** A worker of this process, as publishers see it. */
export interface LocalConsumer {
  /** Returns a lease of this worker if it can send one more to this endpoint at once. */
  lease(endpointId: string, ahead: number): ReservedLease | undefined
  /** Accepts deliveries that were written with a lease of this worker. */
  accept(deliveries: readonly ClaimedDelivery[]): void
  /** Reports due deliveries: first attempts for these endpoints, or anything without a list. */
  wake(endpointIds?: Iterable<string>): void
}

/** Connects publishers of deliveries with the workers that send them. */
export interface Dispatcher {
  /** Registers a worker of this process. Returns a function that removes it. */
  register(consumer: LocalConsumer): () => void
  /** Returns a worker that can send to this endpoint at once, with its lease; `undefined` if none. */
  reserve(
    endpointId: string,
    ahead: number,
  ): { consumer: LocalConsumer; lease: ReservedLease } | undefined
  /** Notifies every worker of every process that deliveries are due. */
  notifyWorkers(endpointIds?: Iterable<string>): void
}

declare module '../../context.ts' {
  interface Services {
    /** Dispatches due deliveries to the workers. */
    readonly dispatcher: Dispatcher
  }
}
