import type { Clock } from '../lib/clock.ts'
import type { PubSub } from '../pubsub/pubsub.ts'

interface PollLoopOptions {
  clock: Clock
  pubsub: PubSub
  /** A message on this topic has the same effect as `notify`. */
  topic: string
  /** The longest time between two polls: messages can get lost, and jobs come due. */
  pollMs: number
  poll: () => Promise<void>
  /** A poll failed; the next one tries again. */
  onFailure: (error: unknown) => void
}

/** Calls `poll` at each notification and at an interval, never twice at once. */
export class PollLoop {
  readonly #options: PollLoopOptions
  #isNotified = false
  #isPolling = false
  #isStopped = false
  #polled: Promise<void> = Promise.resolve()
  #unsubscribe: () => void = () => undefined
  #cancelTimer: () => void = () => undefined

  constructor(options: PollLoopOptions) {
    this.#options = options
  }

  /** Subscribes to the topic. The first poll is at the first notification or interval. */
  start(): void {
    const { pubsub, topic } = this.#options
    this.#unsubscribe = pubsub.subscribe(topic, () => this.notify())
    this.#schedule()
  }

  /** Polls now, or once more after the poll that runs. */
  notify(): void {
    this.#isNotified = true
    if (this.#isPolling || this.#isStopped) return
    this.#isPolling = true
    this.#polled = this.#run()
  }

  /** Starts no further poll, and resolves when the running one is over. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe()
    this.#cancelTimer()
    await this.#polled
  }

  #schedule(): void {
    const { clock, pollMs } = this.#options
    this.#cancelTimer = clock.after(pollMs, () => {
      this.#schedule()
      this.notify()
    })
  }

  async #run(): Promise<void> {
    while (this.#isNotified && !this.#isStopped) {
      this.#isNotified = false
      try {
        await this.#options.poll()
      } catch (error) {
        this.#options.onFailure(error)
      }
    }
    this.#isPolling = false
  }
}
