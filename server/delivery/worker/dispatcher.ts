import type { PubSub } from '../../pubsub/pubsub.ts'
import type { Dispatcher, LocalConsumer, ReservedLease } from '../queue/dispatcher.ts'

const CHANNEL = 'deliveries'

/**
 * Dispatches in memory where possible: a delivery that a worker of this process can send at once is
 * written with that worker's lease and passed to it after the commit, without a query. For all other
 * deliveries the dispatcher notifies the workers, those of other processes through pub/sub.
 */
export class PubSubDispatcher implements Dispatcher {
  readonly #consumers = new Set<LocalConsumer>()
  readonly #pubsub: PubSub
  #isPublishScheduled = false
  #isOwnPublish = false

  constructor(pubsub: PubSub) {
    this.#pubsub = pubsub
    pubsub.subscribe(CHANNEL, () => {
      if (!this.#isOwnPublish) this.#wake()
    })
  }

  register(consumer: LocalConsumer): () => void {
    this.#consumers.add(consumer)
    return () => this.#consumers.delete(consumer)
  }

  reserve(
    endpointId: string,
    ahead: number,
  ): { consumer: LocalConsumer; lease: ReservedLease } | undefined {
    for (const consumer of this.#consumers) {
      const lease = consumer.lease(endpointId, ahead)
      if (lease) return { consumer, lease }
    }
    return undefined
  }

  /** Notifies the workers of this process at once, and other processes once per event-loop turn. */
  notifyWorkers(endpointIds?: Iterable<string>): void {
    this.#wake(endpointIds)
    if (this.#isPublishScheduled) return
    this.#isPublishScheduled = true
    setImmediate(() => {
      this.#isPublishScheduled = false
      this.#isOwnPublish = true
      this.#pubsub.publish(CHANNEL, '')
      this.#isOwnPublish = false
    })
  }

  #wake(endpointIds?: Iterable<string>): void {
    for (const consumer of this.#consumers) consumer.wake(endpointIds)
  }
}
