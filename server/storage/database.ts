import type { Kysely, Transaction } from 'kysely'
import type { StorageMeters } from './metrics.ts'

/**
 * Every table of the product. Empty here: each slice's `tables.ts` adds its own by declaration
 * merging, so that storage knows no domain.
 */
export interface Tables {}

/** The database outside a transaction: reads see what is committed, a write commits by itself. */
export type Db = Kysely<Tables>

/** The database inside a transaction. A `Db` too, so that a store's verbs take either. */
export type TxDb = Transaction<Tables>

export type Dialect = 'sqlite' | 'postgres'

/** An open database and what only its opener needs. */
export interface Storage {
  db: Db
  dialect: Dialect
  meters: StorageMeters
  close(): Promise<void>
}

/** Thrown when another process has the data directory open. */
export class DataDirectoryTaken extends Error {}
