import type { Db } from './database.ts'
import type { Statement } from './statement.ts'

const MOST_ROWS = 2_000

/** What of a database's tables is written, as far as the reads below want to know. */
export interface Writes {
  /** From now on writes to these tables count, and to those that take their rows along. */
  watch(tables: readonly string[]): void
  /** Another number after each commit that wrote to them; none while one is under way. */
  version(): number | undefined
}

/** Only of databases that nobody else writes to. */
const writesOf = new WeakMap<Db, Writes>()

/** Says what is written to a database, all of it by this process. */
export function announceWrites(db: Db, writes: Writes): void {
  writesOf.set(db, writes)
}

/** The rows of one read, as they are since a commit. */
interface Kept<Row> {
  version: number
  rows: Map<string, Readonly<Row>>
}

/**
 * A read of one row that nearly every request needs and that changes seldom. On the embedded
 * database, where nobody else writes, the row is kept until one of `tables` is written to, so that a
 * change is seen by the very next read; on Postgres, and in transactions, it is read each time. A row
 * that is not there is not kept.
 */
export function remembered<Row extends object>(
  tables: readonly string[],
  ask: (...values: string[]) => Statement<Row>,
): (db: Db, ...values: string[]) => Promise<Readonly<Row> | undefined> {
  const keptOf = new WeakMap<Writes, Kept<Row>>()

  async function read(db: Db, values: string[]): Promise<Row | undefined> {
    return (await ask(...values).execute(db)).rows[0]
  }

  return async (db, ...values) => {
    const writes = writesOf.get(db)
    if (!writes) return read(db, values)
    let kept = keptOf.get(writes)
    if (!kept) writes.watch(tables)
    const version = writes.version()
    if (version === undefined) return read(db, values)
    if (kept?.version !== version || kept.rows.size >= MOST_ROWS) {
      kept = { version, rows: new Map() }
      keptOf.set(writes, kept)
    }
    const name = values.length === 1 && values[0] !== undefined ? values[0] : JSON.stringify(values)
    const known = kept.rows.get(name)
    if (known) return known
    const found = await read(db, values)
    // What was written meanwhile may be newer than what was found.
    if (found && writes.version() === version) kept.rows.set(name, Object.freeze(found))
    return found
  }
}
