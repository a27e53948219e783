import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Db, TxDb } from './database.ts'
import { inheritWriteTracker } from './read-cache.ts'

/** The connection of each open transaction. */
const connections = new WeakMap<Db, DatabaseConnection>()

/**
 * Runs the work of a transaction of `db`; `executeCompiled` then calls the transaction's connection
 * directly. Kysely allocates a dozen promises per statement to look the connection up, which costs
 * more than a small statement, and sends a statement once the one before it has its result. Statements
 * that are executed together on the connection share a round trip.
 */
export async function withBoundConnection<Result>(
  db: Db,
  tx: TxDb,
  work: () => Promise<Result>,
): Promise<Result> {
  inheritWriteTracker(db, tx)
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
  try {
    return await work()
  } finally {
    // A later statement would run outside the transaction; Kysely refuses it.
    connections.delete(tx)
  }
}

/** Runs a compiled query and returns its result; rejects with the error of the database. */
export function executeCompiled<Row>(db: Db, query: CompiledQuery): Promise<QueryResult<Row>> {
  return connections.get(db)?.executeQuery<Row>(query) ?? db.executeQuery<Row>(query)
}
