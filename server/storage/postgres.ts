import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Storage, Tables } from './database.ts'
import { ALONE, LATER } from './later.ts'

const MOST_CONNECTIONS = 20
const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** A server that is alive has given the statement up by then. */
const ANSWER_MS = STATEMENT_MS + 5_000
const MOST_NAMES = 5_000
const LANE_MS = 500
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
    Client: GatheringClient,
  })
  // An idle connection that breaks is replaced at the next use; without a listener it would throw.
  pool.on('error', () => undefined)
  // The same for one that breaks between two statements of a transaction: the next statement tells.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const names = new StatementNames()
  const lanes = new Lanes()
  const wrapped = new WeakMap<pg.PoolClient, Connection>()
  const wrap = (client: pg.PoolClient) => {
    const connection = wrapped.get(client) ?? new Connection(client, names, lanes)
    wrapped.set(client, connection)
    // oxlint-disable-next-line typescript/consistent-type-assertions -- kysely calls query(text, values) only
    return connection as unknown as PostgresPoolClient
  }
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => wrap(await pool.connect()),
        end: () => pool.end(),
      },
    }),
  })
  return { db, dialect: 'postgres', close: () => db.destroy() }
}

/**
 * A client whose statements go out while those before them are still under way, and those of one
 * turn of the event loop in one packet.
 */
class GatheringClient extends pg.Client {
  readonly #socket: Socket
  #isGathering = false

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket()
    const pipelined = { ...config, stream: () => socket, pipeline: true }
    super(pipelined)
    this.#socket = socket
  }

  gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    this.#socket.cork()
    process.nextTick(() => {
      this.#isGathering = false
      this.#socket.uncork()
    })
  }
}

/** Names each query text, so that every connection parses and plans it once. */
class StatementNames {
  readonly #names = new Map<string, string>()

  get(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = createHash('sha1').update(text).digest('base64url')
    if (this.#names.size < MOST_NAMES) this.#names.set(text, name)
    return name
  }
}

/** Lets transactions of this process that want the same row come one after the other. */
class Lanes {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * Resolves when it is one's turn, with how to leave; or when it takes too long, because whoever is
   * ahead may be waiting in the database for something that this transaction has.
   */
  async enter(row: string): Promise<() => void> {
    const ahead = this.#last.get(row)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(row, promise)
    if (ahead) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((done) => {
        timer = setTimeout(done, LANE_MS)
      })
      await Promise.race([ahead, late]).finally(() => clearTimeout(timer))
    }
    return () => {
      if (this.#last.get(row) === promise) this.#last.delete(row)
      resolve()
    }
  }
}

/** What a statement answers of which nobody needs to know more. */
const UNSEEN = { command: '', rowCount: 0, rows: [] }

/**
 * A connection whose statements are sent as they come. Within a transaction `begin` and statements
 * made by `later` are not waited for: the server takes them in order, and after one that failed it
 * refuses all others until the end, so the commit always tells.
 */
class Connection {
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  readonly #lanes: Lanes
  /** How to leave the lanes that the open transaction has entered. */
  readonly #entered = new Map<string, () => void>()
  #isOpen = false
  /** What was sent in the open transaction and not waited for. Never rejects. */
  #sent: Promise<void>[] = []
  /** Why the open transaction can no longer commit. */
  #failure: Error | undefined
  /** An answer may still come, to a connection that somebody else has by then. */
  #isBroken = false

  constructor(client: pg.PoolClient, names: StatementNames, lanes: Lanes) {
    this.#lanes = lanes
    this.#client = client
    this.#names = names
  }

  /** Runs a statement. Rejects with its error, or with that of an earlier one in its transaction. */
  async query(text: string, values: readonly unknown[]): Promise<object> {
    if (text === 'begin') {
      this.#isOpen = true
      this.#sendLater(text, values, true)
      return UNSEEN
    }
    if (text === 'commit' || text === 'rollback') return this.#end(text)
    if (this.#failure) throw this.#failure
    if (this.#isOpen && text.startsWith(ALONE)) await this.#enter(String(values[0]))
    if (this.#isOpen && text.startsWith(LATER)) {
      this.#sendLater(text, values, false)
      return UNSEEN
    }
    try {
      return await this.#send(text, values)
    } catch (error) {
      await Promise.all(this.#sent)
      throw this.#failure ?? error
    }
  }

  /** Waits until nobody else of this process is between such a statement and its commit. */
  async #enter(row: string): Promise<void> {
    if (this.#entered.has(row)) return
    this.#entered.set(row, await this.#lanes.enter(row))
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async #end(text: 'commit' | 'rollback'): Promise<object> {
    this.#isOpen = false
    try {
      const result = await this.#send(text, [])
      await Promise.all(this.#sent)
      if (text === 'rollback') return result
      if (this.#failure) throw this.#failure
      // What a failed transaction answers to a commit, whoever caught its error.
      if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back.')
      return result
    } finally {
      this.#failure = undefined
      this.#sent = []
      for (const leave of this.#entered.values()) leave()
      this.#entered.clear()
    }
  }

  #sendLater(text: string, values: readonly unknown[], isFatal: boolean): void {
    const noted = this.#send(text, values).then(
      () => undefined,
      (error: unknown) => {
        if (isFatal) this.#isBroken = true
        this.#failure ??= error instanceof Error ? error : new Error(String(error))
      },
    )
    this.#sent.push(noted)
  }

  async #send(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.#client instanceof GatheringClient) this.#client.gather()
    try {
      return values.length === 0
        ? await this.#client.query(text)
        : await this.#client.query({ name: this.#names.get(text), text, values: [...values] })
    } catch (error) {
      if (error instanceof Error && error.message === QUERY_TIMEOUT) this.#isBroken = true
      throw error
    }
  }
}
