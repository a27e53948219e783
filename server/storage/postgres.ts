import { createHash } from 'node:crypto'
import pg from 'pg'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Storage, Tables } from './database.ts'

const MOST_CONNECTIONS = 20
const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** A server that is alive has given the statement up by then. */
const ANSWER_MS = STATEMENT_MS + 5_000
const MOST_NAMES = 5_000
/** What `pg` says when `query_timeout` has passed. */
const QUERY_TIMEOUT = 'Query read timeout'
const INT8 = 20
const NUMERIC = 1_700

/** Opens Postgres 15 or later. 64-bit integers come back as numbers; all ours fit in 53 bits. */
export function openPostgres(url: string): Storage {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  types.setTypeParser(NUMERIC, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types,
  })
  // An idle connection that breaks is replaced at the next use; without a listener it would throw.
  pool.on('error', () => undefined)
  // The same for one that breaks between two statements of a transaction: the next statement tells.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const prepared = new PreparedNames()
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => prepared.wrap(await pool.connect()),
        end: () => pool.end(),
      },
    }),
  })
  return { db, dialect: 'postgres', close: () => db.destroy() }
}

/** Names each query text, so that every connection parses and plans it once. */
class PreparedNames {
  readonly #names = new Map<string, string>()
  readonly #wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  wrap(client: pg.PoolClient): PostgresPoolClient {
    const known = this.#wrapped.get(client)
    if (known) return known
    let isLate = false
    const send = (text: string, values: readonly unknown[]) =>
      values.length === 0
        ? client.query(text)
        : client.query({ name: this.#name(text), text, values: [...values] })
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await send(text, values)
      } catch (error) {
        // The answer may still come, to a connection that somebody else has by then.
        if (error instanceof Error && error.message === QUERY_TIMEOUT) isLate = true
        throw error
      }
    }
    const release = () => client.release(isLate)
    // oxlint-disable-next-line typescript/consistent-type-assertions -- kysely calls query(text, values) only
    const wrapped = { query, release } as unknown as PostgresPoolClient
    this.#wrapped.set(client, wrapped)
    return wrapped
  }

  #name(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = createHash('sha1').update(text).digest('base64url')
    if (this.#names.size < MOST_NAMES) this.#names.set(text, name)
    return name
  }
}
