import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Db, TxDb } from './database.ts'
import { dialectOf } from './open.ts'
import { shareWrites } from './read-cache.ts'

/** Of the transactions that are open on the embedded database. */
const connections = new WeakMap<Db, DatabaseConnection>()

/**
 * Does the work of a transaction of `db`; what it runs by `runCompiled` goes straight to the connection. Kysely
 * makes some objects and a dozen promises for each statement, to find the one connection there is:
 * more than a small statement costs. On Postgres statements wait for each other there, so they stay.
 */
export async function withConnection<Result>(
  db: Db,
  tx: TxDb,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dialectOf(tx) === 'postgres') return work()
  shareWrites(db, tx)
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
  try {
    return await work()
  } finally {
    // Later ones would not be in the transaction, which Kysely refuses.
    connections.delete(tx)
  }
}

/** Runs a statement that is put together already. */
export function runCompiled<Row>(db: Db, query: CompiledQuery): Promise<QueryResult<Row>> {
  return connections.get(db)?.executeQuery<Row>(query) ?? db.executeQuery<Row>(query)
}
