import pg from 'pg'
import type { Prepared } from './batch.ts'
import type { Wire } from './wire.ts'

const MOST_ROWS = 1_000

interface Waiting {
  statement: Prepared
  settle: (error?: unknown) => void
}

/**
 * Runs statements whose values are arrays of rows, each a transaction of its own: those that wait for
 * the same text become one with the rows of all. While one is under way, others wait for the next.
 */
export class SharedCommits {
  readonly #connect: () => Promise<Wire>
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(connect: () => Promise<Wire>) {
    this.#connect = connect
  }

  /** Resolves when it is committed; rejects with its own error and not with that of another. */
  run(statement: Prepared): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    this.#waiting.push({ statement, settle })
    if (!this.#isRunning) {
      this.#isRunning = true
      setImmediate(() => void this.#runAll())
    }
    return promise
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      const byText = Map.groupBy(batch, ({ statement }) => statement.name)
      await Promise.all([...byText.values()].map((own) => this.#runTogether(own)))
    }
    this.#isRunning = false
  }

  /** Those that have waited longest, one at least. */
  #take(): Waiting[] {
    let rows = 0
    const tooMany = this.#waiting.findIndex(({ statement }) => {
      const isFull = rows >= MOST_ROWS
      rows += rowsOf(statement)
      return isFull
    })
    return this.#waiting.splice(0, tooMany === -1 ? this.#waiting.length : tooMany)
  }

  async #runTogether(own: readonly Waiting[]): Promise<void> {
    const wire = await this.#connect().catch((error: unknown) => {
      for (const { settle } of own) settle(error)
    })
    if (!wire) return
    try {
      await wire.send([], joined(own.map(({ statement }) => statement)))
      for (const { settle } of own) settle()
    } catch (error) {
      // One of them is wrong, and none was kept: each is told its own.
      if (own.length > 1 && isRefusal(error)) {
        for (const { statement, settle } of own) {
          await wire.send([], statement).then(() => settle(), settle)
        }
      } else for (const { settle } of own) settle(error)
    } finally {
      wire.release()
    }
  }
}

function rowsOf({ values: [first] }: Prepared): number {
  return Array.isArray(first) ? first.length : 0
}

/** The statement with the rows of all. */
function joined(statements: readonly Prepared[]): Prepared {
  const [first, ...others] = statements
  if (!first) throw new Error('There is nothing to run.')
  if (others.length === 0) return first
  const values = first.values.map((_, index) =>
    statements.flatMap(({ values: own }) => own[index] ?? []),
  )
  return { ...first, values }
}

/** Whether the server said no, and goes on; a connection that broke leaves in doubt what was kept. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}
