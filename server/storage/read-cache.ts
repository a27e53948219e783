import type { CacheCounts } from '../lib/instruments.ts'
import type { Db, Executable, TxDb } from './database.ts'
import { ReadCoalescer } from './read-coalescer.ts'
import { runForWorkspace } from './workspace-scope.ts'

const MAX_ENTRIES = 2_000

/** Reports whether watched tables have changed in a database that only this process writes to. */
export interface WriteTracker {
  /** Hits and misses of the reads that the tracker makes cacheable. */
  readonly cache: CacheCounts
  /** Starts to track writes to these tables. Idempotent. The tables must exist. */
  watch(tables: readonly string[]): void
  /**
   * Returns another number after each commit that wrote to them; `undefined` before that commit.
   */
  version(): number | undefined
}

const trackers = new WeakMap<Db, WriteTracker>()
const coalescing = new WeakSet<Db>()

/** Lets equal reads of a database, outside of transactions, share a round trip. */
export function coalesceReads(db: Db): void {
  coalescing.add(db)
}

/** Enables `cachedRead` on a database. */
export function registerWriteTracker(db: Db, tracker: WriteTracker): void {
  trackers.set(db, tracker)
}

/** Enables `cachedRead` in a transaction of a database, if the database has a tracker. */
export function inheritWriteTracker(db: Db, tx: TxDb): void {
  const tracker = trackers.get(db)
  if (tracker) trackers.set(tx, tracker)
}

/** The results of one read at one version of its tables. */
interface CacheEntry<Row> {
  version: number
  results: Map<string, readonly Row[]>
}

/**
 * Returns a read of rows that nearly every request needs and that seldom change. The embedded database
 * has a single writer, so results are cached until one of `tables` is written to, and the first read
 * after a commit sees it. On Postgres each call outside of a transaction is answered by a read that
 * starts after it, which equal calls share. Rows are frozen.
 */
export function cachedRead<Row extends object>(
  tables: readonly string[],
  query: (...values: string[]) => Executable<Row>,
): (db: Db, ...values: string[]) => Promise<readonly Readonly<Row>[]> {
  const entries = new WeakMap<WriteTracker, CacheEntry<Readonly<Row>>>()
  const coalescers = new WeakMap<Db, ReadCoalescer<readonly Readonly<Row>[]>>()

  async function read(db: Db, values: string[]): Promise<readonly Readonly<Row>[]> {
    const { rows } = await query(...values).execute(db)
    for (const row of rows) Object.freeze(row)
    return rows
  }

  function coalescerOf(db: Db): ReadCoalescer<readonly Readonly<Row>[]> {
    const coalescer = coalescers.get(db) ?? new ReadCoalescer()
    coalescers.set(db, coalescer)
    return coalescer
  }

  return async (db, ...values) => {
    if (coalescing.has(db)) {
      // Callers of several workspaces may wait for it.
      const readForAll = () => runForWorkspace(undefined, () => read(db, values))
      return coalescerOf(db).run(keyOf(values), readForAll)
    }
    const tracker = trackers.get(db)
    if (!tracker) return read(db, values)
    let entry = entries.get(tracker)
    if (!entry) tracker.watch(tables)
    const version = tracker.version()
    if (version === undefined) return read(db, values)
    if (entry?.version !== version || entry.results.size >= MAX_ENTRIES) {
      entry = { version, results: new Map() }
      entries.set(tracker, entry)
    }
    const key = keyOf(values)
    const cached = entry.results.get(key)
    if (cached) {
      tracker.cache.hits.add()
      return cached
    }
    tracker.cache.misses.add()
    const rows = await read(db, values)
    // A write during the read may be newer than the rows.
    if (tracker.version() === version) entry.results.set(key, rows)
    return rows
  }
}

function keyOf(values: readonly string[]): string {
  return values.length === 1 && values[0] !== undefined ? values[0] : JSON.stringify(values)
}
