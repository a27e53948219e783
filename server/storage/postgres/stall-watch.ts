import pg from 'pg'

/** With statements in flight and no result for so long, the server is asked whether it still answers. */
const MAX_QUIET_MS = 4_000
const CHECK_INTERVAL_MS = 1_000
/** Read by `toAppError`: a broken connection is 503. */
const STALLED = 'Connection terminated: the database does not answer.'

/** A connection with statements in flight. */
interface StalledConnection {
  /** Closes the connection, so that its statements reject. */
  abort(): void
}

/**
 * Notices a server that has frozen: no statement has had a result for a while, nor has a question on a
 * connection of its own. Then all statements in flight reject, and no connection is waited for until
 * the server answers again. A long statement beside a server that answers is left alone.
 */
export class StallWatch {
  readonly #ask: () => Promise<unknown>
  /** The numbers of statements in flight. */
  readonly #inFlight = new Map<StalledConnection, number>()
  readonly #waiting = new Set<(error: Error) => void>()
  #timer: NodeJS.Timeout | undefined
  #answeredAt = 0
  #isAsking = false
  #isStalled = false

  /** `ask` rejects in bounded time when the server does not answer. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask
  }

  /** Counts a statement of a connection as in flight. */
  begin(connection: StalledConnection): void {
    if (this.#inFlight.size === 0) this.#answeredAt = performance.now()
    this.#inFlight.set(connection, (this.#inFlight.get(connection) ?? 0) + 1)
    this.#timer ??= setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref()
  }

  /** Ends what `begin` has begun; `isAnswered` where the server has sent a result or an error. */
  end(connection: StalledConnection, isAnswered: boolean): void {
    const others = (this.#inFlight.get(connection) ?? 1) - 1
    if (others > 0) this.#inFlight.set(connection, others)
    else this.#inFlight.delete(connection)
    if (isAnswered) this.#noteAnswer()
  }

  /** Waits for a connection; rejects while the server is stalled. A late one goes to `giveBack`. */
  async wait<Client>(
    connect: () => Promise<Client>,
    giveBack: (late: Client) => void,
  ): Promise<Client> {
    if (this.#isStalled) throw new Error(STALLED)
    const { promise: stalled, reject } = Promise.withResolvers<never>()
    this.#waiting.add(reject)
    const connecting = connect()
    try {
      return await Promise.race([connecting, stalled])
    } catch (error) {
      connecting.then(giveBack, () => undefined)
      throw error
    } finally {
      this.#waiting.delete(reject)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #noteAnswer(): void {
    this.#answeredAt = performance.now()
    this.#isStalled = false
  }

  async #check(): Promise<void> {
    const isQuiet = this.#inFlight.size > 0 && performance.now() - this.#answeredAt >= MAX_QUIET_MS
    if (this.#isAsking || !(isQuiet || this.#isStalled)) return
    const before = this.#answeredAt
    this.#isAsking = true
    try {
      await this.#ask()
      this.#noteAnswer()
    } catch (error) {
      if (isAnswer(error)) this.#noteAnswer()
      // A result that came after the question says more than the missing answer.
      else if (this.#answeredAt === before) this.#giveUp()
    } finally {
      this.#isAsking = false
    }
  }

  #giveUp(): void {
    this.#isStalled = true
    for (const connection of this.#inFlight.keys()) connection.abort()
    for (const reject of this.#waiting) reject(new Error(STALLED))
  }
}

/** Whether the server itself has refused, for example for want of connections. */
export function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError
}
