import { Socket } from 'node:net'
import pg from 'pg'
import {
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { useWorkspaceScopes } from '../workspace-scope.ts'
import type { Storage, Tables } from '../database.ts'
import { type PostgresConnectionDeps, PostgresConnection, StatementNames } from './connection.ts'
import { ConnectionGates } from './connection-gates.ts'
import { ConnectionShortage } from './connection-shortage.ts'
import { InsertCoalescer } from './insert-coalescer.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { PipelinedClient } from './pipelined-client.ts'
import { PostgresProbe } from './probe.ts'
import { StallWatch } from './stall-watch.ts'
import { coalesceReads } from '../read-cache.ts'
import { type PoolCounts, StatementMeter } from '../metrics.ts'
import { WriteFaults } from '../write-faults.ts'

const DEFAULT_POOL_MAX = 20
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/** Longer than the server's own timeout: reached only if the server does not respond. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000
/**
 * A process that freezes inside a transaction holds its locks for so long; then the server ends its
 * session, and the others go on, which wait for a lock a little longer than that.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 7_000
const LOCK_TIMEOUT_MS = 9_000
const KEEPALIVE_DELAY_MS = 10_000
/** A machine that is gone loses its sessions, and their locks, after 25 s. */
const SERVER_KEEPALIVE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'
const SESSION_SETTINGS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  options: SERVER_KEEPALIVE,
}
const INT8 = 20
const NUMERIC = 1_700

interface PostgresOptions {
  poolMax?: number | undefined
  statements?: 'prepared' | 'simple' | undefined
  /** Whether results are waited for as long as the server works. */
  isPatient?: boolean
}

/**
 * Opens Postgres 15 or later. 64-bit integers come back as numbers; all of ours fit in 53 bits.
 * `simple` leaves nothing in a session of the server: no named statement, and no parameter at the
 * start, which pgbouncer in transaction mode would refuse.
 */
export function openPostgres(url: string, options: PostgresOptions = {}): Storage {
  useWorkspaceScopes()
  const { poolMax = DEFAULT_POOL_MAX, statements = 'prepared', isPatient = false } = options
  const isPrepared = statements === 'prepared'
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  types.setTypeParser(NUMERIC, Number)
  const pool = new pg.Pool({
    connectionString: isPatient ? withoutQueryTimeout(url) : url,
    max: poolMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(isPrepared ? SESSION_SETTINGS : {}),
    query_timeout: isPatient ? 0 : QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    types,
    Client: CorkedClient,
  })
  // An idle connection that breaks is replaced at the next use; without a listener the error throws.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    // The same for a break between two statements of a transaction: the next statement fails.
    client.on('error', () => undefined)
  })
  const shortage = new ConnectionShortage(pool, poolMax)
  const writeFaults = new WriteFaults()
  const meter = new StatementMeter('postgres')
  const probe = new PostgresProbe(url)
  const pipelined = new WeakMap<pg.PoolClient, PipelinedClient>()
  const watch = new StallWatch(() => probe.ask())
  const connect = async () => {
    const client = await watch
      .wait(
        () => shortage.connect(),
        (late) => late.release(),
      )
      .catch((error: unknown) => {
        meter.failed(error)
        throw error
      })
    if (!(client instanceof CorkedClient)) throw new Error('The pool has clients of one class.')
    const known =
      pipelined.get(client) ??
      new PipelinedClient(client, {
        cork: () => client.corkUntilNextTick(),
        abort: () => client.abort(),
        faults: writeFaults,
        meter,
        watch,
      })
    pipelined.set(client, known)
    return known
  }
  // Smaller while the server refuses connections.
  const { options: size } = pool
  const gates = new ConnectionGates(() => size.max)
  const deps: PostgresConnectionDeps = {
    connect,
    gates,
    coalescer: new InsertCoalescer(connect),
    names: new StatementNames(isPrepared),
    mutex: new KeyedMutex(),
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new PipelinedDriver(deps, () => pool.end()),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  coalesceReads(db)
  return {
    db,
    dialect: 'postgres',
    meters: { statements: meter, pool: countPool(pool, shortage, gates) },
    writeFaults,
    state: () => probe.ask(),
    async close() {
      watch.close()
      shortage.close()
      await probe.close()
      await db.destroy()
    },
  }
}

/** A parameter of the URL has precedence over the options of the client. */
function withoutQueryTimeout(url: string): string {
  const patient = new URL(url)
  patient.searchParams.delete('query_timeout')
  return patient.href
}

/** Counts those that wait before the gates as waiting for the pool. */
function countPool(
  pool: pg.Pool,
  shortage: ConnectionShortage,
  gates: ConnectionGates,
): PoolCounts {
  return {
    get totalCount() {
      return pool.totalCount
    },
    get idleCount() {
      return pool.idleCount
    },
    get waitingCount() {
      return pool.waitingCount + gates.waitingCount
    },
    get isShort() {
      return shortage.isShort
    },
    get crowdedCount() {
      return pool.waitingCount + gates.crowdedCount
    },
  }
}

/** Kysely's own driver hands a connection the text of a query alone; hints travel with this one. */
class PipelinedDriver implements Driver {
  readonly #deps: PostgresConnectionDeps
  readonly #close: () => Promise<void>

  constructor(deps: PostgresConnectionDeps, close: () => Promise<void>) {
    this.#deps = deps
    this.#close = close
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#deps)
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    connection.begin()
  }

  commitTransaction(connection: PostgresConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: PostgresConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release()
  }

  destroy(): Promise<void> {
    return this.#close()
  }
}

/**
 * A client that sends statements while earlier ones are in flight, and the statements of one turn of
 * the event loop in one packet.
 */
class CorkedClient extends pg.Client {
  readonly #socket: Socket
  #isCorked = false

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket()
    const pipelined = { ...config, stream: () => socket, pipeline: true }
    super(pipelined)
    this.#socket = socket
  }

  /** Closes the socket, so that what was sent rejects. */
  abort(): void {
    this.#socket.destroy()
  }

  corkUntilNextTick(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    this.#socket.cork()
    process.nextTick(() => {
      this.#isCorked = false
      this.#socket.uncork()
    })
  }
}
