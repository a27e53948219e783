import type { CacheCounts } from '../lib/instruments.ts'
import type { Db, TxDb } from './database.ts'
import type { Statement } from './statement.ts'

const MOST_ANSWERS = 2_000

/** What of a database's tables is written, as far as the reads below want to know. */
export interface Writes {
  readonly cache: CacheCounts
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

/** The same for a transaction of that database: it may use what is remembered, too. */
export function shareWrites(db: Db, tx: TxDb): void {
  const writes = writesOf.get(db)
  if (writes) writesOf.set(tx, writes)
}

/** The answers of one read, as they are since a commit. */
interface Kept<Row> {
  version: number
  answers: Map<string, readonly Row[]>
}

/**
 * A read that nearly every request needs and whose rows change seldom. On the embedded database, where
 * nobody else writes, its answers are kept until one of `tables` is written to, so that a change is
 * seen by the very next read; on Postgres it is read each time.
 */
export function remembered<Row extends object>(
  tables: readonly string[],
  ask: (...values: string[]) => Statement<Row>,
): (db: Db, ...values: string[]) => Promise<readonly Readonly<Row>[]> {
  const keptOf = new WeakMap<Writes, Kept<Readonly<Row>>>()

  async function read(db: Db, values: string[]): Promise<Row[]> {
    return (await ask(...values).execute(db)).rows
  }

  return async (db, ...values) => {
    const writes = writesOf.get(db)
    if (!writes) return read(db, values)
    let kept = keptOf.get(writes)
    if (!kept) writes.watch(tables)
    const version = writes.version()
    if (version === undefined) return read(db, values)
    if (kept?.version !== version || kept.answers.size >= MOST_ANSWERS) {
      kept = { version, answers: new Map() }
      keptOf.set(writes, kept)
    }
    const name = values.length === 1 && values[0] !== undefined ? values[0] : JSON.stringify(values)
    const known = kept.answers.get(name)
    if (known) {
      writes.cache.hits.add()
      return known
    }
    writes.cache.misses.add()
    const found = await read(db, values)
    for (const row of found) Object.freeze(row)
    // What was written meanwhile may be newer than what was found.
    if (writes.version() === version) kept.answers.set(name, found)
    return found
  }
}
