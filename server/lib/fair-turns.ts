interface Turn {
  start: () => Promise<void>
}

/**
 * Runs one piece of work at a time. The groups that wait take turns, so that a group with much work
 * delays another one by at most one piece per group.
 */
export class FairTurns {
  /** The waiting work by group; the group whose turn is next comes first. */
  readonly #waiting = new Map<string, Turn[]>()
  #isRunning = false

  /** Runs `work` when it is the group's turn; settles with its result. */
  run<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const turn = { start: () => work().then(resolve, reject) }
    const queue = this.#waiting.get(group)
    if (queue) queue.push(turn)
    else this.#waiting.set(group, [turn])
    if (!this.#isRunning) void this.#runAll()
    return promise
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    // Work that is added in the same turn of the event loop takes part in the first choice.
    await Promise.resolve()
    for (let next = this.#take(); next; next = this.#take()) await next.start()
    this.#isRunning = false
  }

  #take(): Turn | undefined {
    const [group, queue] = this.#waiting.entries().next().value ?? []
    if (group === undefined || queue === undefined) return undefined
    const turn = queue.shift()
    // The group goes to the end of the line, or leaves it.
    this.#waiting.delete(group)
    if (queue.length > 0) this.#waiting.set(group, queue)
    return turn
  }
}
