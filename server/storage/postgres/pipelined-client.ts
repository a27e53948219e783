import type pg from 'pg'
import { type StallWatch, isAnswer } from './stall-watch.ts'
import type { StatementMeter } from '../metrics.ts'
import type { WriteFaults } from '../write-faults.ts'
import { sendPipeline, type Statement } from './pipeline.ts'

/** The message of `pg` when `query_timeout` has passed. */
const QUERY_TIMEOUT_MESSAGE = 'Query read timeout'

interface PipelinedClientDeps {
  cork: () => void
  abort: () => void
  faults: WriteFaults
  meter: StatementMeter
  watch: StallWatch
}

/** A client of the pool with the names of the statements it has prepared. One user at a time. */
export class PipelinedClient {
  readonly #client: pg.PoolClient
  readonly #cork: () => void
  readonly #abort: () => void
  readonly #faults: WriteFaults
  readonly #meter: StatementMeter
  readonly #watch: StallWatch
  readonly #prepared = new Set<string>()
  /** A `begin` that is sent alone, before which no statement of its transaction may be sent. */
  #opening: Promise<unknown> | undefined
  /** A late result may arrive, which the pool's next user of the client would receive. */
  #isBroken = false

  /**
   * `cork` is called so that all statements of a turn of the event loop go out in one packet. `abort`
   * closes the connection without a word to the server.
   */
  constructor(client: pg.PoolClient, { cork, abort, faults, meter, watch }: PipelinedClientDeps) {
    this.#client = client
    this.#cork = cork
    this.#abort = abort
    this.#faults = faults
    this.#meter = meter
    this.#watch = watch
  }

  /** Rejects all statements in flight. */
  abort(): void {
    this.#isBroken = true
    this.#abort()
  }

  /** Returns the client to the pool, which closes a broken one. */
  release(): void {
    this.#client.release(this.#isBroken)
  }

  /**
   * Runs statements in order and resolves with the result of the last one; rejects with the first
   * error. All go out as one message once each of them is prepared.
   */
  async send(before: readonly Statement[], statement: Statement): Promise<pg.QueryResult> {
    while (this.#opening) await this.#opening
    const [first, ...others] = before
    if (first?.text === 'begin' && !this.#prepared.has(first.name)) {
      // If `begin` fails, no statement of the transaction may run.
      this.#opening = this.#run(() => this.#sendOne(first))
      try {
        await this.#opening
      } finally {
        this.#opening = undefined
      }
      return this.send(others, statement)
    }
    const isPrepared = [...before, statement].every(({ name }) => this.#prepared.has(name))
    if (before.length > 0 && isPrepared) {
      return this.#run(() => sendPipeline(this.#client, before, statement))
    }
    const sent = before.map((each) => this.#run(() => this.#sendOne(each)))
    const last = this.#run(() => this.#sendOne(statement))
    await Promise.allSettled([...sent, last])
    await Promise.all(sent)
    return last
  }

  async #sendOne({ name, text, values }: Statement): Promise<pg.QueryResult> {
    if (name === '') return this.#client.query(text, [...values])
    const result = await this.#client.query({ name, text, values: [...values] })
    this.#prepared.add(name)
    return result
  }

  async #run(query: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    this.#cork()
    this.#watch.begin(this)
    let isAnswered = true
    const startedAt = performance.now()
    try {
      return await query()
    } catch (error) {
      isAnswered = isAnswer(error)
      this.#faults.note(error)
      this.#meter.failed(error)
      if (error instanceof Error && error.message === QUERY_TIMEOUT_MESSAGE) this.#isBroken = true
      throw error
    } finally {
      this.#meter.durations.observe((performance.now() - startedAt) / 1000)
      this.#watch.end(this, isAnswered)
    }
  }
}
