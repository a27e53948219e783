import pg from 'pg'
import type { StorageState } from '../database.ts'

const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 2_500
const STATE = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
    array(select name from migrations) as migrations`

/**
 * Asks the server how it is on a connection outside of the pool: when every connection of the pool is
 * busy, the process still works, and a supervisor must not take it for dead.
 */
export class PostgresProbe {
  readonly #url: string
  #client: Promise<pg.Client> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(url: string) {
    this.#url = url
  }

  /** Rejects when the server does not answer. One question waits for the one before. */
  ask(): Promise<StorageState> {
    const answer = this.#last.then(() => this.#askNow())
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #askNow(): Promise<StorageState> {
    this.#client ??= this.#connect()
    const client = this.#client
    try {
      const { rows } = await (
        await client
      ).query<{ now: number; is_read_only: boolean; migrations: string[] }>(STATE)
      const [row] = rows
      if (!row) throw new Error('Postgres sent no state.')
      return { now: row.now, isReadOnly: row.is_read_only, migrations: row.migrations }
    } catch (error) {
      if (this.#client === client) this.#client = undefined
      void client.then((open) => open.end()).catch(() => undefined)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.end()).catch(() => undefined)
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    })
    client.on('error', () => (this.#client = undefined))
    await client.connect()
    return client
  }
}
