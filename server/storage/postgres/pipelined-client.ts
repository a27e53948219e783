import type pg from 'pg'
import { type Prepared, runTogether } from './batch.ts'

/** What `pg` says when `query_timeout` has passed. */
const QUERY_TIMEOUT = 'Query read timeout'

/** A client of the pool, and what it has prepared. One of us has it at a time. */
export class Wire {
  readonly #client: pg.PoolClient
  readonly #gather: () => void
  /** The names of what was prepared. */
  readonly #prepared = new Set<string>()
  /** An answer may still come, to somebody else who has it by then. */
  #isBroken = false

  /** `gather`: what is sent in this turn of the event loop goes out as one packet. */
  constructor(client: pg.PoolClient, gather: () => void) {
    this.#client = client
    this.#gather = gather
  }

  /** Gives it back to the pool. */
  release(): void {
    this.#client.release(this.#isBroken)
  }

  /** Runs statements in order; together, once all are prepared. Answers what the last one answers. */
  async send(before: readonly Prepared[], statement: Prepared): Promise<pg.QueryResult> {
    const [first, ...others] = before
    if (first && !this.#prepared.has(first.name)) {
      // Should `begin` fail, nothing may run that was to be a part of the transaction.
      await this.#run(() => this.#sendOne(first))
      return this.send(others, statement)
    }
    const isPrepared = [...before, statement].every(({ name }) => this.#prepared.has(name))
    if (before.length > 0 && isPrepared) {
      return this.#run(() => runTogether(this.#client, before, statement))
    }
    const sent = before.map((each) => this.#run(() => this.#sendOne(each)))
    const last = this.#run(() => this.#sendOne(statement))
    await Promise.allSettled([...sent, last])
    await Promise.all(sent)
    return last
  }

  async #sendOne({ name, text, values }: Prepared): Promise<pg.QueryResult> {
    if (name === '') return this.#client.query(text, [...values])
    const result = await this.#client.query({ name, text, values: [...values] })
    this.#prepared.add(name)
    return result
  }

  async #run(query: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    this.#gather()
    try {
      return await query()
    } catch (error) {
      if (error instanceof Error && error.message === QUERY_TIMEOUT) this.#isBroken = true
      throw error
    }
  }
}
