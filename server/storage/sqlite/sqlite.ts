import { chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { type Driver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely'
import { DataDirectoryLockedError, type Storage, type Tables } from '../database.ts'
import { StatementMeter, writerWaitSeries } from '../metrics.ts'
import { WriteFaults } from '../write-faults.ts'
import { registerWriteTracker } from '../read-cache.ts'
import {
  type SqliteConnectionDeps,
  ReadTransaction,
  SqliteConnection,
  StatementCache,
} from './connection.ts'
import { GroupCommit } from './group-commit.ts'
import { HidingQueryCompiler } from './placeholder.ts'
import { recordLostFrames } from './lost-frames.ts'
import { findLostFrames } from './write-ahead-log.ts'
import { SqliteWriteTracker } from './write-tracker.ts'

/** The data is private to its user. The files beside the database take its mode. */
const OWNER_ONLY = 0o600
const DATABASE_FILE = 'sohbet.db'
const LOCK_FILE = 'lock.db'
/** A page that many commits touch is written into the database once for all of them. */
const CHECKPOINT_PAGES = 8_000
const flushFile = promisify(fdatasync)

/**
 * Opens the embedded database in `directory`: one writer whose transactions share commits. Reads
 * outside transactions see committed rows alone: they use the writer's connection while no
 * transaction is open, since its cache is warm, and a connection of their own otherwise.
 *
 * SQLite writes a commit to its log and does not wait for the disk; `GroupCommit` waits, while other
 * transactions run. Frames of the log that a crash or the disk has damaged are recorded beside the
 * database. Throws `DataDirectoryLockedError` when another process has the directory open.
 */
export function openSqlite(directory: string): Storage {
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = acquireLock(join(directory, LOCK_FILE))
  const file = join(directory, DATABASE_FILE)
  const lost = findLostFrames(file)
  if (lost) recordLostFrames(directory, lost)
  const writer = new Sqlite(file)
  chmodSync(file, OWNER_ONLY)
  writer.pragma('journal_mode = wal')
  writer.pragma('synchronous = normal')
  writer.pragma('foreign_keys = on')
  writer.pragma('cache_size = -32000')
  writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  // Commits behind the damage stay in the log, and would be found again after the next crash.
  if (lost) writer.pragma('wal_checkpoint(truncate)')
  // The first transaction creates the log, which stays the same file until the last connection closes.
  writer.exec('begin immediate; commit')
  const log = openSync(`${file}-wal`, 'r+')
  const reader = new Sqlite(file, { readonly: true })
  reader.pragma('cache_size = -16000')
  const tracker = new SqliteWriteTracker(writer)
  const writerReads = new ReadTransaction(writer)
  const readerReads = new ReadTransaction(reader)
  const writerWait = writerWaitSeries()
  const commits = new GroupCommit(writer, {
    waited: (ms) => writerWait.observe(ms / 1000),
    flush: () => flushFile(log),
    beforeBegin() {
      writerReads.end()
      tracker.begin()
    },
    beforeEnd() {
      readerReads.end()
      tracker.end()
    },
  })
  const writeFaults = new WriteFaults()
  const meter = new StatementMeter('sqlite')
  const deps = {
    commits,
    faults: writeFaults,
    meter,
    writer: { statements: new StatementCache(writer), reads: writerReads },
    reader: { statements: new StatementCache(reader), reads: readerReads },
  }
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new GroupedAdapter(),
      createDriver: () => new GroupedDriver(deps),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new HidingQueryCompiler(),
    },
  })
  registerWriteTracker(db, tracker)
  return {
    db,
    dialect: 'sqlite',
    meters: { statements: meter, writerWait, readCache: tracker.cache },
    writeFaults,
    async state() {
      const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
      return { now: undefined, isReadOnly: false, migrations: rows.map(({ name }) => name) }
    },
    async close() {
      await commits.drain()
      await db.destroy()
      writerReads.end()
      readerReads.end()
      // On a second call the descriptor may belong to another file.
      if (!writer.open) return
      closeSync(log)
      reader.close()
      writer.close()
      lock.close()
    },
  }
}

/** The operating system releases this lock with the process, even after a crash. */
function acquireLock(file: string): Sqlite.Database {
  const lock = new Sqlite(file, { timeout: 0 })
  try {
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw new DataDirectoryLockedError('Another process has the data directory open.', {
      cause: error,
    })
  }
}

/**
 * Kysely's own adapter allows one open transaction; here transactions queue for the shared commit.
 */
class GroupedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class GroupedDriver implements Driver {
  readonly #deps: SqliteConnectionDeps

  constructor(deps: SqliteConnectionDeps) {
    this.#deps = deps
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#deps)
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.end('commit')
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return connection.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
