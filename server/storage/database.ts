import type { CompiledQuery, Kysely, QueryResult, Transaction } from 'kysely'
import type { StorageMeters } from './metrics.ts'
import type { WriteFaults } from './write-faults.ts'

/**
 * Every table of the product. Empty here: each slice's `tables.ts` adds its own by declaration
 * merging, so that storage knows no domain.
 */
export interface Tables {}

/**
 * The database outside a transaction: a read sees committed rows, a write is its own transaction.
 */
export type Db = Kysely<Tables>

/** The database inside a transaction. A `Db` too, so that a store's verbs take either. */
export type TxDb = Transaction<Tables>

export type Dialect = 'sqlite' | 'postgres'

/** A statement with its values that either database can run. */
export interface Executable<Row> {
  execute(db: Db): Promise<QueryResult<Row>>
}

/** A statement whose text is known before it runs. */
export interface Compilable<Row> {
  compile(db: Db): CompiledQuery<Row>
}

/** The state that the database reports. */
export interface StorageState {
  /** Its clock; undefined for the embedded database, which has that of this process. */
  now: number | undefined
  isReadOnly: boolean
  /** The names of the applied migrations. */
  migrations: string[]
}

/** An open database. `close` waits for open transactions. */
export interface Storage {
  db: Db
  dialect: Dialect
  meters: StorageMeters
  writeFaults: WriteFaults
  /** Rejects when the database does not answer. */
  state(): Promise<StorageState>
  close(): Promise<void>
}

/** Thrown when another process has the data directory open. */
export class DataDirectoryLockedError extends Error {}
