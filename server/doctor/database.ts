import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { type AppliedMigration, findNewer } from '../storage/migrate.ts'
import { migrations } from '../storage/migration-list.ts'
import { countLost, readLostFrames } from '../storage/sqlite/lost-frames.ts'
import { findLostFrames } from '../storage/sqlite/write-ahead-log.ts'
import { defect, fine, reasonOf, warning } from './findings.ts'
import type { Finding } from './schema.ts'

const TIMEOUT_MS = 8_000
const MIN_VERSION = 150_000
const MEGABYTE = 1_000_000
/** As readiness judges them. */
const WARN_SKEW_MS = 2_000
const MAX_SKEW_MS = 10_000
/** Beside the pool, a process asks for the server's state on a connection of its own. */
const PROBE_CONNECTIONS = 1
const BUSY_SHARE = 0.8
/** Any number of the product's processes are taken for two: one that stops, one that starts. */
const MIN_PROCESSES = 2
const FACTS = `
  select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as number,
    pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as usable,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
    pg_database_size(current_database())::float8 as bytes,
    to_regclass('migrations') is not null as has_schema`

interface Facts {
  now: number
  version: string
  number: number
  is_read_only: boolean
  usable: number
  used: number
  bytes: number
  has_schema: boolean
}

/** The database: whether it answers and can be written, its schema, its clock, its connections. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  return config.databaseUrl
    ? examinePostgres(config, config.databaseUrl)
    : examineSqlite(config.dataDir)
}

async function examinePostgres(config: Config, connectionString: string): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const askedAt = performance.now()
    const { rows } = await client.query<Facts>(FACTS)
    const ms = performance.now() - askedAt
    const [facts] = rows
    if (!facts) throw new Error('it said nothing of itself')
    const skewMs = systemClock.now() - ms / 2 - facts.now
    const applied = facts.has_schema
      ? (await client.query<Partial<AppliedMigration>>('select * from migrations')).rows
      : []
    return [
      examineServer(facts, ms),
      examineSchema(applied),
      examineClock(skewMs),
      examineConnections(config, facts),
    ]
  } catch (error) {
    const remedy = 'Look at DATABASE_URL, at the server, and at the network between.'
    return [defect('database', `Postgres does not answer: ${reasonOf(error)}.`, remedy)]
  } finally {
    await client.end().catch(() => undefined)
  }
}

function examineServer(facts: Facts, ms: number): Finding {
  const size = `${Math.ceil(facts.bytes / MEGABYTE)} MB`
  const detail = `Postgres ${facts.version} answers in ${Math.round(ms)} ms; ${size} are stored.`
  if (facts.number < MIN_VERSION) return defect('database', detail, 'Use Postgres 15 or later.')
  if (facts.is_read_only) {
    return defect(
      'database',
      'Postgres is read-only.',
      'After a failover, point DATABASE_URL to the primary.',
    )
  }
  return fine('database', detail)
}

function examineClock(skewMs: number): Finding {
  const size = Math.abs(skewMs)
  const words = skewMs > 0 ? 'ahead of' : 'behind'
  const detail = `This machine is ${(size / 1_000).toFixed(1)} s ${words} the clock of the database.`
  const remedy = 'Run NTP (chrony, systemd-timesyncd) on both machines.'
  if (size >= MAX_SKEW_MS) return defect('clock', detail, remedy)
  return size >= WARN_SKEW_MS ? warning('clock', detail, remedy) : fine('clock', detail)
}

function examineConnections(
  { databasePoolMax, databaseStatements }: Config,
  { usable, used }: Facts,
): Finding {
  const each = databasePoolMax + PROBE_CONNECTIONS
  const processes = Math.floor(usable / each)
  const now = `${used} of ${usable} connections are in use`
  if (databaseStatements === 'simple') {
    return fine('connections', `${now}; the pooler in front of Postgres bounds them.`)
  }
  const detail = `${now}; ${processes} processes with DATABASE_POOL_MAX ${databasePoolMax} fit.`
  const remedy = 'Lower DATABASE_POOL_MAX, or raise max_connections of the server.'
  if (processes === 0) return defect('connections', detail, remedy)
  const isShort = processes < MIN_PROCESSES || used > usable * BUSY_SHARE
  return isShort ? warning('connections', detail, remedy) : fine('connections', detail)
}

async function examineSqlite(dataDir: string): Promise<Finding[]> {
  const file = join(dataDir, 'sohbet.db')
  const clock = fine('clock', 'The embedded database has the clock of this machine.')
  if (!existsSync(file)) {
    return [fine('database', 'There is none yet: the first start makes it.'), clock]
  }
  const log = examineLog(dataDir, file)
  const { default: Sqlite } = await import('better-sqlite3')
  try {
    // Readers neither wait for the running product nor hold it up.
    const database = new Sqlite(file, { readonly: true, timeout: TIMEOUT_MS })
    try {
      const applied = database.prepare<[], Partial<AppliedMigration>>('select * from migrations')
      const detail = `The embedded database can be read; ${Math.ceil(statSync(file).size / MEGABYTE)} MB are stored.`
      const found = log.length > 0 ? log : [fine('database', detail)]
      return [...found, examineSchema(applied.all()), clock]
    } finally {
      database.close()
    }
  } catch (error) {
    const remedy = 'Look at the disk and at the owner of the files, or restore a backup.'
    const detail = `${file} cannot be read: ${reasonOf(error)}.`
    return [defect('database', detail, remedy), ...log, clock]
  }
}

/** Losses of earlier starts, and what the next one would lose. */
function examineLog(dataDir: string, file: string): Finding[] {
  const { losses, remedy } = readLostFrames(dataDir)
  const recorded = losses.map((loss) => warning('database', loss, remedy))
  const lost = findLostFrames(file)
  // A running product writes the log while it is read: what is damaged is found twice.
  const again = lost && findLostFrames(file)
  if (!again || again.after !== lost.after || again.frames !== lost.frames) return recorded
  const detail = `${file}-wal is damaged: ${countLost(lost)} cannot be read.`
  const before =
    'Copy DATA_DIR before the next start, which goes on without them; restore the last backup if it has them.'
  return [...recorded, warning('database', detail, before)]
}

function examineSchema(rows: readonly Partial<AppliedMigration>[]): Finding {
  const applied = rows.map(({ name = '', expands = 0 }) => ({ name, expands }))
  const newer = findNewer(applied, migrations)
  if (newer !== undefined) {
    const detail = `The database is of a newer version (${newer}).`
    return defect('schema', detail, 'Start that version, or restore a backup from before.')
  }
  const names = new Set(applied.map(({ name }) => name))
  const missing = migrations.filter(({ name }) => !names.has(name)).length
  if (missing === 0) return fine('schema', `All ${migrations.length} migrations are applied.`)
  const detail = `${missing} of ${migrations.length} migrations are not applied.`
  return warning('schema', detail, 'The next start applies them; so does: npx sohbet migrate')
}
