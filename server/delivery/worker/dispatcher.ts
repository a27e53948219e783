import type { PubSub } from '../../pubsub/pubsub.ts'
import type { ClaimedDelivery } from '../queue/claim.ts'

const CHANNEL = 'deliveries'

declare module '../../context.ts' {
  interface Services {
    /** Hands due deliveries to the workers that send them. */
    readonly desk: Dispatcher
  }
}

/** A worker of this process, as those who publish see it. */
export interface LocalConsumer {
  /** A lease in its name, if it can send one more to this endpoint at once. */
  lease(endpointId: string, ahead: number): { token: string; until: number } | undefined
  /** Takes deliveries that were written with a lease of its own. */
  accept(deliveries: readonly ClaimedDelivery[]): void
  /** Something is due in the table: first attempts for these endpoints, or one has to look. */
  wake(endpointIds?: Iterable<string>): void
}

/**
 * Where those who publish meet those who send. A delivery that a worker of this process can send at
 * once is written with its lease and handed over after the commit, without a search in the table;
 * of all others the workers are told, those of other processes through publish/subscribe.
 */
export class Dispatcher {
  readonly #consumers = new Set<LocalConsumer>()
  readonly #pubsub: PubSub
  #isTelling = false
  #isOwnPublish = false

  constructor(pubsub: PubSub) {
    this.#pubsub = pubsub
    pubsub.subscribe(CHANNEL, () => {
      if (!this.#isOwnPublish) this.#wake()
    })
  }

  /** Seats a worker; the returned function takes its place away. */
  register(taker: LocalConsumer): () => void {
    this.#consumers.add(taker)
    return () => this.#consumers.delete(taker)
  }

  /** A worker that can send to this endpoint at once, with a lease in its name. */
  reserve(
    endpointId: string,
    ahead: number,
  ): { taker: LocalConsumer; lease: { token: string; until: number } } | undefined {
    for (const taker of this.#consumers) {
      const lease = taker.lease(endpointId, ahead)
      if (lease) return { taker, lease }
    }
    return undefined
  }

  /**
   * Tells every worker that something is due, if known for which endpoints: this process at once,
   * others once per turn.
   */
  notifyWorkers(endpointIds?: Iterable<string>): void {
    this.#wake(endpointIds)
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      this.#isOwnPublish = true
      this.#pubsub.publish(CHANNEL, '')
      this.#isOwnPublish = false
    })
  }

  #wake(endpointIds?: Iterable<string>): void {
    for (const taker of this.#consumers) taker.wake(endpointIds)
  }
}
