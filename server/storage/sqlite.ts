import { chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { DataDirectoryTaken, type Storage, type Tables } from './database.ts'
import { GroupCommit, type OpenTurn, TAKEN_AWAY } from './group-commit.ts'
import { RELAXED } from './later.ts'
import { writerWaitSeries } from './metrics.ts'
import { announceWrites } from './remembered.ts'
import { TableWrites, targetsOf } from './table-writes.ts'

/** Nobody else on the machine may read the data. The files beside it take its mode. */
const OWNER_ONLY = 0o600
const DATABASE_FILE = 'sohbet.db'
const LOCK_FILE = 'lock.db'
const MOST_STATEMENTS = 2_000
/** A page that many commits touch is written into the database once for all of them. */
const CHECKPOINT_PAGES = 8_000
const flushFile = promisify(fdatasync)

/**
 * Opens the embedded database in `directory`: one writer whose transactions share commits. Reads
 * outside them see only what is committed: they use the writer while no transaction is open, since
 * its cache is warm, and a connection of their own otherwise.
 *
 * SQLite writes a commit to its log and does not wait for the disk; `GroupCommit` does, without
 * standing in anybody's way. Throws `DataDirectoryTaken` when another process has the directory.
 */
export function openSqlite(directory: string): Storage {
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(directory, LOCK_FILE))
  const file = join(directory, DATABASE_FILE)
  const writer = new Sqlite(file)
  chmodSync(file, OWNER_ONLY)
  writer.pragma('journal_mode = wal')
  writer.pragma('synchronous = normal')
  writer.pragma('foreign_keys = on')
  writer.pragma('cache_size = -32000')
  writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  // The first transaction makes the log, which stays the same file until the last one has closed.
  writer.exec('begin immediate; commit')
  const log = openSync(`${file}-wal`, 'r+')
  const reader = new Sqlite(file, { readonly: true })
  reader.pragma('cache_size = -16000')
  const written = new TableWrites(writer)
  const writes = new Statements(writer, written)
  const reads = { ofWriter: new Reads(writes), ofReader: new Reads(new Statements(reader)) }
  const writerWait = writerWaitSeries()
  const commits = new GroupCommit(writer, {
    waited: (ms) => writerWait.observe(ms / 1000),
    flush: () => flushFile(log),
    beforeBegin: () => reads.ofWriter.end(),
    beforeEnd: () => {
      reads.ofReader.end()
      written.end()
    },
  })
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new GroupedAdapter(),
      createDriver: () => new GroupedDriver(writes, reads, commits),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  announceWrites(db, written)
  return {
    db,
    dialect: 'sqlite',
    meters: { writerWait, readCache: written.cache },
    async close() {
      await commits.drain()
      await db.destroy()
      reads.ofWriter.end()
      reads.ofReader.end()
      // Closed a second time, the number may be a file of somebody else by now.
      if (!writer.open) return
      closeSync(log)
      reader.close()
      writer.close()
      lock.close()
    },
  }
}

/** The operating system drops this lock with the process, however the process ends. */
function takeLock(file: string): Sqlite.Database {
  const lock = new Sqlite(file, { timeout: 0 })
  try {
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw new DataDirectoryTaken('Another process has the data directory open.', { cause: error })
  }
}

/** Kysely would let one transaction begin at a time; here they queue for the shared commit. */
class GroupedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class GroupedDriver implements Driver {
  readonly #writes: Statements
  readonly #reads: { ofWriter: Reads; ofReader: Reads }
  readonly #commits: GroupCommit

  constructor(
    writes: Statements,
    reads: { ofWriter: Reads; ofReader: Reads },
    commits: GroupCommit,
  ) {
    this.#writes = writes
    this.#reads = reads
    this.#commits = commits
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#writes, this.#reads, this.#commits)
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

interface Prepared {
  statement: Sqlite.Statement
  /** The tables that it writes to. */
  targets: readonly string[]
}

/** Prepared statements by their text. Lists of values make many texts, so the store is bounded. */
class Statements {
  readonly #database: Sqlite.Database
  readonly #written: TableWrites | undefined
  readonly #byText = new Map<string, Prepared>()

  constructor(database: Sqlite.Database, written?: TableWrites) {
    this.#database = database
    this.#written = written
  }

  run<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, targets } = this.#byText.get(text) ?? this.#prepare(text)
    this.#written?.begin(targets)
    return run<Row>(statement, parameters)
  }

  #prepare(text: string): Prepared {
    const statement = this.#database.prepare(withBlindPlan(text))
    const prepared = { statement, targets: statement.readonly ? [] : targetsOf(text) }
    if (this.#byText.size >= MOST_STATEMENTS) this.#byText.clear()
    this.#byText.set(text, prepared)
    return prepared
  }
}

/**
 * Reads of a connection outside the transactions that write: they share a transaction of their own,
 * since to begin one costs more than a small read. It must be ended before anything it would not see
 * is committed.
 */
class Reads {
  readonly #statements: Statements
  #isOpen = false

  constructor(statements: Statements) {
    this.#statements = statements
  }

  run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    if (!this.#isOpen) this.#statements.run('begin', [])
    this.#isOpen = true
    return this.#statements.run<Row>(sql, parameters)
  }

  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#statements.run('commit', [])
  }
}

/** What is quoted or said aside, or else the place of a parameter. */
const PLACES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g

/**
 * Hides the parameters' values from the planner with a plus sign, which does nothing else. Where it
 * sees them (in joins, limits, `like`, functions of tables), SQLite prepares the statement anew for
 * each execution, in case a new value makes another plan better: ten times the work.
 * See `sqlite3VdbeSetVarmask` in its source.
 */
function withBlindPlan(text: string): string {
  return text.replaceAll(PLACES, (found) => (found === '?' ? '+?' : found))
}

class SqliteConnection implements DatabaseConnection {
  readonly #writes: Statements
  readonly #reads: { ofWriter: Reads; ofReader: Reads }
  readonly #commits: GroupCommit
  #turn: OpenTurn | undefined
  #isRelaxed = false

  constructor(
    writes: Statements,
    reads: { ofWriter: Reads; ofReader: Reads },
    commits: GroupCommit,
  ) {
    this.#writes = writes
    this.#reads = reads
    this.#commits = commits
  }

  async begin(): Promise<void> {
    this.#isRelaxed = false
    this.#turn = await this.#commits.begin()
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    if (how === 'commit') await turn?.commit(this.#isRelaxed)
    else await turn?.rollback()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#turn) {
      if (this.#turn.isOver()) throw new Error(TAKEN_AWAY)
      if (query.sql === RELAXED) {
        this.#isRelaxed = true
        return { rows: [] }
      }
      return this.#writes.run<Row>(query.sql, query.parameters)
    }
    if (isRead(query.sql)) {
      const { ofReader, ofWriter } = this.#reads
      return (this.#commits.isOpen ? ofReader : ofWriter).run<Row>(query)
    }
    return this.#commits.write(() => this.#writes.run<Row>(query.sql, query.parameters))
  }

  // oxlint-disable-next-line eslint/require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in pages here, never streamed.')
  }
}

/** A read goes to the reading connection; what begins with `with` may write, so it is looked at. */
function isRead(text: string): boolean {
  return /^(?:\s|\/\*.*?\*\/)*(select|with(?![\s\S]*\b(insert|update|delete)\b))/i.test(text)
}

function run<Row>(statement: Sqlite.Statement, parameters: readonly unknown[]): QueryResult<Row> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the row type is the query's own claim
  if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return {
    rows: [],
    numAffectedRows: BigInt(changes),
    insertId: BigInt(lastInsertRowid),
  }
}
