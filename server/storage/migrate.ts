import { sql } from 'kysely'
import { MINUTE_MS } from '../lib/durations.ts'
import { listTablesWith } from './catalog.ts'
import type { Db, Dialect } from './database.ts'

type Statements = readonly string[] | ((dialect: Dialect) => readonly string[])

/**
 * The statements of a step of the schema, by dialect if they differ. A step that `expands` leaves a
 * schema that the release before it reads and writes correctly: both may run side by side.
 */
export type Step = Statements | { expands: true; statements: Statements }

/** A step of the schema under a name that never changes. */
export interface Migration {
  name: string
  statements: Statements
  expands?: boolean
}

/** The schema of a database that this release cannot use; the message says what to do. */
export class SchemaError extends Error {}

/** Any number that no other program on the same server uses for its advisory locks. */
const MIGRATION_LOCK = 7_205_561_203
/** Between two statements of a migration. */
const MAX_IDLE_MS = MINUTE_MS

/**
 * Brings the schema up to date. Each migration and the row that records it commit together; on
 * Postgres an advisory lock serializes processes that start at once. Idempotent. Throws
 * `SchemaError`, and changes no table of the product, if migrations are recorded and the first one is
 * missing, or if one is recorded that this release does not know and that does not only expand.
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  // Two processes that create one table at once collide, even with `if not exists`.
  await withMigrationLock(db, dialect, async (tx) => {
    await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
      tx,
    )
    await addExpandsColumn(tx, dialect)
  })
  const { rows } = await sql<AppliedMigration>`select name, expands from migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const [baseline] = migrations
  if (baseline && applied.size > 0 && !applied.has(baseline.name)) {
    throw new SchemaError(
      'This database was made by an unreleased version and cannot be upgraded: start with an empty one.',
    )
  }
  const newer = findNewer(rows, migrations)
  if (newer !== undefined) {
    throw new SchemaError(
      `This database is of a newer version (${newer}), which this one cannot use: start that version, or restore a backup from before the upgrade.`,
    )
  }
  for (const { name, statements, expands = false } of migrations) {
    if (applied.has(name)) continue
    const texts = typeof statements === 'function' ? statements(dialect) : statements
    await withMigrationLock(db, dialect, async (tx) => {
      const { rows: recorded } = await sql`
        select name from migrations where name = ${name}`.execute(tx)
      if (recorded.length > 0) return
      for (const text of texts) {
        await sql.raw(text).execute(tx)
      }
      const flag = expands ? 1 : 0
      await sql`insert into migrations (name, applied_at, expands)
        values (${name}, ${now}, ${flag})`.execute(tx)
    })
  }
}

/** A row of `migrations`. */
export interface AppliedMigration {
  name: string
  /** 1 where an older release may use the schema after this step. */
  expands: number
}

/** Returns the first applied migration that this release neither knows nor can live with. */
export function findNewer(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): string | undefined {
  const names = new Set(known.map(({ name }) => name))
  return applied.find(({ name, expands }) => expands === 0 && !names.has(name))?.name
}

/** Tables of migrations that were made before releases told each other about compatibility. */
async function addExpandsColumn(tx: Db, dialect: Dialect): Promise<void> {
  const columns = await listTablesWith(tx, 'expands')
  if (columns.includes('migrations')) return
  const type = dialect === 'postgres' ? 'smallint' : 'integer'
  await sql.raw(`alter table migrations add column expands ${type} not null default 0`).execute(tx)
}

/**
 * A migration, also that of another process, may take longer than the statements of requests may. A process
 * that freezes in it still loses its locks, later than in a request.
 */
async function lockMigrations(tx: Db): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(MAX_IDLE_MS)}`.execute(tx)
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
}

/** Runs a transaction beside which no other process's migration runs. */
async function withMigrationLock(
  db: Db,
  dialect: Dialect,
  work: (tx: Db) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (dialect === 'postgres') await lockMigrations(tx)
    await work(tx)
  })
}
