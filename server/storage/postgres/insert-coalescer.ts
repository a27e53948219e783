import pg from 'pg'
import type { Statement } from './pipeline.ts'
import type { PipelinedClient } from './pipelined-client.ts'

const MAX_ROWS = 1_000

interface QueuedInsert {
  statement: Statement
  settle: (error?: unknown) => void
}

/**
 * Runs statements whose values are arrays of rows, each a transaction of its own: queued statements
 * of the same text become one statement with the rows of all. The queue fills while one runs.
 */
export class InsertCoalescer {
  readonly #connect: () => Promise<PipelinedClient>
  #queue: QueuedInsert[] = []
  #isRunning = false

  constructor(connect: () => Promise<PipelinedClient>) {
    this.#connect = connect
  }

  /** Resolves when the statement is committed; rejects with its own error, not another one's. */
  run(statement: Statement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
    this.#queue.push({ statement, settle })
    if (!this.#isRunning) {
      this.#isRunning = true
      setImmediate(() => void this.#runQueue())
    }
    return promise
  }

  async #runQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch()
      const byText = Map.groupBy(batch, ({ statement }) => statement.text)
      await Promise.all([...byText.values()].map((own) => this.#runMerged(own)))
    }
    this.#isRunning = false
  }

  /** Takes the oldest statements of the queue, at least one. */
  #nextBatch(): QueuedInsert[] {
    let rows = 0
    const tooMany = this.#queue.findIndex(({ statement }) => {
      const isFull = rows >= MAX_ROWS
      rows += rowsOf(statement)
      return isFull
    })
    return this.#queue.splice(0, tooMany === -1 ? this.#queue.length : tooMany)
  }

  async #runMerged(own: readonly QueuedInsert[]): Promise<void> {
    const client = await this.#connect().catch((error: unknown) => {
      for (const { settle } of own) settle(error)
    })
    if (!client) return
    try {
      await client.send([], merged(own.map(({ statement }) => statement)))
      for (const { settle } of own) settle()
    } catch (error) {
      // One statement is wrong, and the server rolled all back: each runs again and has its own result.
      if (own.length > 1 && isRefusal(error)) {
        for (const { statement, settle } of own) {
          await client.send([], statement).then(() => settle(), settle)
        }
      } else for (const { settle } of own) settle(error)
    } finally {
      client.release()
    }
  }
}

function rowsOf({ values: [first] }: Statement): number {
  return Array.isArray(first) ? first.length : 0
}

/** Returns one statement with the rows of all. */
function merged(statements: readonly Statement[]): Statement {
  const [first, ...others] = statements
  if (!first) throw new Error('A batch has at least one statement.')
  if (others.length === 0) return first
  const values = first.values.map((_, index) =>
    statements.flatMap(({ values: own }) => own[index] ?? []),
  )
  return { ...first, values }
}

/** Whether the server refused and rolled back; after a lost connection the outcome is unknown. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}
