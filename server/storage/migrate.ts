import { sql } from 'kysely'
import type { Db, Dialect } from './database.ts'

/** The statements of a step of the schema, by dialect if they differ. */
export type Step = readonly string[] | ((dialect: Dialect) => readonly string[])

/** A step of the schema under a name that never changes. */
export interface Migration {
  name: string
  statements: Step
}

/** Any number that no other program on the same server uses for its advisory locks. */
const MIGRATION_LOCK = 7_205_561_203

/**
 * Brings the schema up to date. Each migration and the row that records it commit together; on
 * Postgres an advisory lock serializes processes that start at once. Idempotent. Throws, and changes
 * nothing, if migrations are recorded and the first one is missing.
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
  })
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const [baseline] = migrations
  if (baseline && applied.size > 0 && !applied.has(baseline.name)) {
    throw new Error(
      'This database was made by an unreleased version and cannot be upgraded: start with an empty one.',
    )
  }
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    const texts = typeof statements === 'function' ? statements(dialect) : statements
    await withMigrationLock(db, dialect, async (tx) => {
      const { rows: recorded } = await sql`
        select name from migrations where name = ${name}`.execute(tx)
      if (recorded.length > 0) return
      for (const text of texts) {
        await sql.raw(text).execute(tx)
      }
      await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(tx)
    })
  }
}

/** A migration of another process may take longer than the statements of requests may wait. */
async function lockMigrations(tx: Db): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(tx)
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
