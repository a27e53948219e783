import { sql } from 'kysely'
import type { Db, Dialect } from './database.ts'

/** One step of the schema: a name that never changes, and statements that both databases read. */
export interface Migration {
  name: string
  statements: readonly string[]
  /** Run after the others on one of the databases: what concerns its storage and not the schema. */
  onPostgres?: readonly string[]
  onSqlite?: readonly string[]
}

/** Any number that no other program on the same server uses for its advisory locks. */
const MIGRATION_LOCK = 7_205_561_203

/**
 * Brings the schema up to date. Each step and the note that it ran commit together; on Postgres a
 * lock keeps several processes that start at once from doing it twice.
 */
export async function migrate(
  db: Db,
  dialect: Dialect,
  migrations: readonly Migration[],
  now: number,
): Promise<void> {
  // Two processes that make one table at once collide, even where it says `if not exists`.
  await alone(db, dialect, async (tx) => {
    await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
      tx,
    )
  })
  const { rows: done } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const names = new Set(done.map(({ name }) => name))
  for (const { name, statements, onPostgres = [], onSqlite = [] } of migrations) {
    if (names.has(name)) continue
    await alone(db, dialect, async (tx) => {
      const { rows } = await sql`select name from migrations where name = ${name}`.execute(tx)
      if (rows.length > 0) return
      for (const statement of statements) await sql.raw(statement).execute(tx)
      for (const statement of dialect === 'postgres' ? onPostgres : onSqlite) {
        await sql.raw(statement).execute(tx)
      }
      await sql`insert into migrations (name, applied_at) values (${name}, ${now})`.execute(tx)
    })
  }
}

/** A transaction that no other process's migration runs beside. */
async function alone(db: Db, dialect: Dialect, work: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
    await work(tx)
  })
}
