import { tracingChannel } from 'node:diagnostics_channel'
import type { CompiledQuery, QueryResult } from 'kysely'

/** The name of the channel on which statements are announced. */
export const STATEMENT_CHANNEL = 'sohbet.statement'

/** What the channel tells of a statement: never its values. */
export interface StatementMessage {
  system: 'postgresql' | 'sqlite'
  text: string
}

const channel = tracingChannel<StatementMessage, StatementMessage>(STATEMENT_CHANNEL)

/** Runs a statement, and announces its begin and end while somebody listens. */
export function announced<Row>(
  system: StatementMessage['system'],
  { sql: text }: CompiledQuery,
  run: () => Promise<QueryResult<Row>>,
): Promise<QueryResult<Row>> {
  if (!channel.hasSubscribers || text === '') return run()
  return channel.tracePromise(run, { system, text })
}
