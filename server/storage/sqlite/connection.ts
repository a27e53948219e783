import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { hintsOf } from '../query-hints.ts'
import { announced } from '../statement-channel.ts'
import type { StatementMeter } from '../metrics.ts'
import type { WriteFaults } from '../write-faults.ts'
import { type GroupCommit, TRANSACTION_TIMED_OUT, type WriterTurn } from './group-commit.ts'

const MAX_STATEMENTS = 2_000

/** Prepared statements by their text. Lists of values make many texts, so the cache is bounded. */
export class StatementCache {
  readonly #database: Sqlite.Database
  readonly #byText = new Map<string, Sqlite.Statement>()

  constructor(database: Sqlite.Database) {
    this.#database = database
  }

  get(text: string): Sqlite.Statement {
    return this.#byText.get(text) ?? this.#prepare(text)
  }

  #prepare(text: string): Sqlite.Statement {
    const statement = this.#database.prepare(text)
    if (this.#byText.size >= MAX_STATEMENTS) this.#byText.clear()
    this.#byText.set(text, statement)
    return statement
  }
}

/** A statement with its values, and what measures it. */
interface StatementCall {
  statement: Sqlite.Statement
  parameters: readonly unknown[]
  meter: StatementMeter
}

/**
 * A read transaction that reads of a connection share, since to begin one costs more than a small
 * read. It must end before a commit that later reads are to see.
 */
export class ReadTransaction {
  readonly #begin: Sqlite.Statement
  readonly #commit: Sqlite.Statement
  #isOpen = false

  constructor(database: Sqlite.Database) {
    this.#begin = database.prepare('begin')
    this.#commit = database.prepare('commit')
  }

  run<Row>(call: StatementCall): QueryResult<Row> {
    if (!this.#isOpen) this.#begin.run()
    this.#isOpen = true
    return run<Row>(call)
  }

  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#commit.run()
  }
}

interface Channel {
  statements: StatementCache
  reads: ReadTransaction
}

/** State that the connections of a database share. */
export interface SqliteConnectionDeps {
  commits: GroupCommit
  faults: WriteFaults
  meter: StatementMeter
  writer: Channel
  reader: Channel
}

/** A connection as Kysely sees it: at most one transaction of the shared writer. */
export class SqliteConnection implements DatabaseConnection {
  readonly #deps: SqliteConnectionDeps
  #turn: WriterTurn | undefined
  #isAsyncCommit = false

  constructor(deps: SqliteConnectionDeps) {
    this.#deps = deps
  }

  /** Waits for the writer. */
  async begin(): Promise<void> {
    this.#isAsyncCommit = false
    this.#turn = await this.#deps.commits.begin()
  }

  /** A commit resolves when it is on the disk; an asynchronous one, when it is made. */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    const turn = this.#turn
    this.#turn = undefined
    if (how === 'rollback') {
      await turn?.rollback()
      return
    }
    try {
      await turn?.commit(this.#isAsyncCommit)
    } catch (error) {
      this.#deps.faults.note(error)
      throw error
    }
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return announced('sqlite', query, () => this.#execute<Row>(query))
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { commits, meter, writer, reader } = this.#deps
    const { sql, parameters } = query
    if (this.#turn) {
      if (this.#turn.isOver()) throw new Error(TRANSACTION_TIMED_OUT)
      const { isAsyncCommit, isNoStatement } = hintsOf(query)
      if (isAsyncCommit) this.#isAsyncCommit = true
      if (isAsyncCommit || isNoStatement) return { rows: [] }
      return this.#write<Row>({ statement: writer.statements.get(sql), parameters, meter })
    }
    const statement = writer.statements.get(sql)
    const call = { statement, parameters, meter }
    if (!statement.readonly) return commits.write(() => this.#write<Row>(call))
    if (!commits.isOpen) return writer.reads.run<Row>(call)
    return reader.reads.run<Row>({ ...call, statement: reader.statements.get(sql) })
  }

  #write<Row>(call: StatementCall): QueryResult<Row> {
    try {
      return run<Row>(call)
    } catch (error) {
      this.#deps.faults.note(error)
      throw error
    }
  }

  // oxlint-disable-next-line eslint/require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in pages here, never streamed.')
  }
}

function run<Row>(call: StatementCall): QueryResult<Row> {
  const startedAt = performance.now()
  try {
    return runNow<Row>(call)
  } catch (error) {
    call.meter.failed(error)
    throw error
  } finally {
    call.meter.durations.observe((performance.now() - startedAt) / 1000)
  }
}

function runNow<Row>({ statement, parameters }: StatementCall): QueryResult<Row> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the row type is the query's own claim
  if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return {
    rows: [],
    numAffectedRows: BigInt(changes),
    insertId: BigInt(lastInsertRowid),
  }
}
