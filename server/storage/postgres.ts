import { Socket } from 'node:net'
import pg from 'pg'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Storage, Tables } from './database.ts'
import { Connection, Lanes, StatementNames } from './postgres-connection.ts'
import { SharedCommits } from './postgres-shared.ts'
import { Wire } from './postgres-wire.ts'

const MOST_CONNECTIONS = 20
const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** A server that is alive has given the statement up by then. */
const ANSWER_MS = STATEMENT_MS + 5_000
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
  const wires = new WeakMap<pg.PoolClient, Wire>()
  const connect = async () => {
    const client = await pool.connect()
    const gather = () => (client instanceof GatheringClient ? client.gather() : undefined)
    const wire = wires.get(client) ?? new Wire(client, gather)
    wires.set(client, wire)
    return wire
  }
  const shared = new SharedCommits(connect)
  const around = { connect, shared, names: new StatementNames(), lanes: new Lanes() }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- kysely calls query(text, values) only
  const open = () => new Connection(around) as unknown as PostgresPoolClient
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: { options: {}, connect: async () => open(), end: () => pool.end() },
    }),
  })
  return { db, dialect: 'postgres', meters: { pool }, close: () => db.destroy() }
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
