import type { Clock } from '../lib/clock.ts'
import type { Topic, Wakeups } from '../storage/wakeups.ts'

interface Work {
  clock: Clock
  wakeups: Wakeups
  /** Wakes the work, as `wake` does. */
  topic: Topic
  /** The net under wake-ups that got lost or were in another process. */
  pollMs: number
  /** Takes on what there is to do. */
  work: () => Promise<void>
  /** What went wrong; the next poll tries again. */
  onFailure: (error: unknown) => void
}

/** Has work looked at whenever somebody wakes it, and now and then; never twice at once. */
export class Pump {
  readonly #work: Work
  #isWoken = false
  #isPumping = false
  #isStopped = false
  #pumped: Promise<void> = Promise.resolve()
  #unlisten: () => void = () => undefined
  #cancelPoll: () => void = () => undefined

  constructor(work: Work) {
    this.#work = work
  }

  /** Listens from now on; the first look is at the first wake-up or poll. */
  start(): void {
    const { wakeups, topic } = this.#work
    this.#unlisten = wakeups.on(topic, () => this.wake())
    this.#poll()
  }

  /** Has the work looked at, once more if it is being looked at. */
  wake(): void {
    this.#isWoken = true
    if (this.#isPumping || this.#isStopped) return
    this.#isPumping = true
    this.#pumped = this.#pump()
  }

  /** Begins nothing new, and resolves when the look that is under way is over. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unlisten()
    this.#cancelPoll()
    await this.#pumped
  }

  #poll(): void {
    const { clock, pollMs } = this.#work
    this.#cancelPoll = clock.after(pollMs, () => {
      this.#poll()
      this.wake()
    })
  }

  async #pump(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      try {
        await this.#work.work()
      } catch (error) {
        this.#work.onFailure(error)
      }
    }
    this.#isPumping = false
  }
}
