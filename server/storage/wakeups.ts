export type Topic = 'knowledge' | 'mails' | 'channels'

declare module '../context.ts' {
  interface Services {
    readonly wakeups: Wakeups
  }
}

/** Tells workers of this process that there is something to do. Losing one only costs a poll. */
export class Wakeups {
  readonly #listeners = new Map<Topic, Set<() => void>>()

  /** Wakes everyone who listens to the topic. */
  wake(topic: Topic): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener()
  }

  /** Listens; the returned function stops it. */
  on(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(topic, listeners)
    return () => listeners.delete(listener)
  }
}
