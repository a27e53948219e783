import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Storage, Tables } from './database.ts'
import { ALONE, ANEW, LATER } from './later.ts'
import { type Prepared, runTogether } from './postgres-batch.ts'

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
  pool.on('connect', (client) => {
    // The same for one that breaks between two statements of a transaction: the next one tells.
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

/** The statements without values that are prepared. */
const MARKS = new Set(['begin', 'commit', 'rollback'])

/** What a statement answers of which nobody needs to know more. */
const UNSEEN = { command: '', rowCount: 0, rows: [] }
const COMMITTED = { ...UNSEEN, command: 'COMMIT' }

/**
 * A connection that waits for as few answers as it can. Within a transaction `begin` and statements
 * made by `later` are kept until one comes whose answer is wanted, and go out with it; after one that
 * failed the server refuses all others until the end, so that the transaction always tells.
 */
class Connection {
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  readonly #lanes: Lanes
  /** How to leave the lanes that the open transaction has entered. */
  readonly #entered = new Map<string, () => void>()
  /** The names of what this connection has prepared. */
  readonly #prepared = new Set<string>()
  #isOpen = false
  /** What the open transaction has yet to send. */
  #kept: Prepared[] = []
  /** An answer may still come, to a connection that somebody else has by then. */
  #isBroken = false

  constructor(client: pg.PoolClient, names: StatementNames, lanes: Lanes) {
    this.#lanes = lanes
    this.#client = client
    this.#names = names
  }

  /** Runs a statement. Rejects with its error, or with that of an earlier one in its transaction. */
  async query(text: string, values: readonly unknown[]): Promise<object> {
    const isLater = this.#isOpen && text.startsWith(LATER)
    const isNamed = (values.length > 0 && !text.startsWith(ANEW)) || isLater || MARKS.has(text)
    const statement = { name: isNamed ? this.#names.get(text) : '', text, values }
    if (text === 'commit' || text === 'rollback') return this.#end(statement)
    if (text === 'begin') this.#isOpen = true
    if (text === 'begin' || isLater) {
      this.#kept.push(statement)
      return UNSEEN
    }
    if (this.#isOpen && text.startsWith(ALONE)) await this.#enter(String(values[0]))
    return this.#send(statement)
  }

  /** Waits until nobody else of this process is between such a statement and its commit. */
  async #enter(row: string): Promise<void> {
    if (this.#entered.has(row)) return
    this.#entered.set(row, await this.#lanes.enter(row))
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  async #end(statement: Prepared): Promise<object> {
    const isRollback = statement.text === 'rollback'
    const isUnsent = this.#kept[0]?.text === 'begin'
    this.#isOpen = false
    try {
      if (isRollback) this.#kept = []
      if (isUnsent && this.#kept.length < 2) return isRollback ? UNSEEN : COMMITTED
      if (isUnsent && this.#kept.length === 2) return await this.#commitOne()
      const result = await this.#send(statement)
      // What a failed transaction answers to a commit, whoever caught its error.
      if (!isRollback && result.command !== 'COMMIT') {
        throw new Error('The transaction was rolled back.')
      }
      return result
    } finally {
      this.#kept = []
      for (const leave of this.#entered.values()) leave()
      this.#entered.clear()
    }
  }

  /** A transaction of one statement is that statement. */
  async #commitOne(): Promise<object> {
    const [, only] = this.#kept.splice(0)
    if (only) await this.#send(only)
    return COMMITTED
  }

  /** Sends what was kept, and then this; together, once the connection has prepared them all. */
  async #send(statement: Prepared): Promise<pg.QueryResult> {
    const before = this.#kept
    this.#kept = []
    const [first] = before
    if (first && !this.#prepared.has(first.name)) {
      // Should `begin` fail, nothing may run that was to be a part of the transaction.
      await this.#run(() => this.#sendOne(first))
      before.shift()
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
    if (this.#client instanceof GatheringClient) this.#client.gather()
    try {
      return await query()
    } catch (error) {
      if (error instanceof Error && error.message === QUERY_TIMEOUT) this.#isBroken = true
      throw error
    }
  }
}
