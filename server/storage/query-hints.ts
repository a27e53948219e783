import { CompiledQuery } from 'kysely'
import { executeCompiled } from './bound-connection.ts'
import type { Compilable, Executable, TxDb } from './database.ts'

/**
 * How a connection may run a statement. A hint does not change the result, and a database ignores the
 * hints that it has no use for: SQLite heeds `isNoStatement` and `isAsyncCommit` alone.
 */
export interface QueryHints {
  /** See `pipelined`. */
  readonly isPipelined?: boolean
  /**
   * The parameters of a pipelined statement are arrays of equal length, its rows, and the statement
   * locks no row that other transactions want. Postgres transactions that consist of the same
   * coalesced statement are merged: one statement with the rows of all, and one commit.
   */
  readonly isCoalesced?: boolean
  /** See `unprepared`. */
  readonly isUnprepared?: boolean
  /** The key of the mutex that `serialized` takes. */
  readonly serializedBy?: string
  /** See `serializeTransaction`. */
  readonly isNoStatement?: boolean
  /** See `useAsyncCommit`. */
  readonly isAsyncCommit?: boolean
}

interface HintedQuery extends CompiledQuery {
  readonly hints: QueryHints
}

const NO_HINTS: QueryHints = {}

/** Returns a copy of the query that carries the hints to the connection that runs it. */
export function withHints(query: CompiledQuery, hints: QueryHints): CompiledQuery {
  const hintedQuery: HintedQuery = { ...query, hints }
  return hintedQuery
}

/** Returns the hints that a query carries. */
export function hintsOf(query: CompiledQuery): QueryHints {
  return isHinted(query) ? query.hints : NO_HINTS
}

function isHinted(query: CompiledQuery): query is HintedQuery {
  return 'hints' in query
}

/**
 * A statement of a transaction whose result is not needed. Postgres receives it together with the
 * next statement, so that it costs no round trip and its locks are held for less time; its result is
 * empty, and its error rejects the next statement or the commit.
 */
export function pipelined(statement: Compilable<unknown>): Executable<unknown> {
  return hinted(statement, { isPipelined: true })
}

/**
 * A statement that locks a contended row until the commit; `key` names the row. Transactions of one
 * process take turns by the key before they reach Postgres, where waiting for a lock is dear. The
 * row lock guarantees correctness, since the turn is given up after a timeout.
 */
export function serialized<Row>(key: string, statement: Compilable<Row>): Executable<Row> {
  return hinted(statement, { serializedBy: key })
}

/**
 * Makes the other transactions of this process with the same key wait until this one ends, as `serialized`
 * does from the statement that locks the row. Call it first where a transaction locks other rows before.
 */
export async function serializeTransaction(tx: TxDb, key: string): Promise<void> {
  await executeCompiled(tx, withHints(NO_STATEMENT, { serializedBy: key, isNoStatement: true }))
}

const NO_STATEMENT = CompiledQuery.raw('')

/**
 * A statement that Postgres plans for each execution. For queues: a plan that was cached while the
 * table was empty scans the whole table after a burst, until the next `analyze`.
 */
export function unprepared<Row>(statement: Compilable<Row>): Executable<Row> {
  return hinted(statement, { isUnprepared: true })
}

function hinted<Row>(statement: Compilable<Row>, hints: QueryHints): Executable<Row> {
  return {
    execute: (db) => executeCompiled<Row>(db, withHints(statement.compile(db), hints)),
  }
}

const ASYNC_COMMIT = withHints(CompiledQuery.raw('set local synchronous_commit = off'), {
  isPipelined: true,
  isAsyncCommit: true,
})

/**
 * Lets the transaction commit without waiting for the disk: a commit survives the process, and a
 * power failure may undo it. For changes that are acknowledged by a later commit alone, which never
 * reaches the disk without the earlier one.
 */
export async function useAsyncCommit(tx: TxDb): Promise<void> {
  await executeCompiled(tx, ASYNC_COMMIT)
}
