import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../storage/database.ts'
import type { Instants } from './range.ts'
import type { LedgerType } from './schema.ts'
import type { LedgerEntry } from './store.ts'

/** Types that runs do not write. Their rows are few and have a partial index. */
const RARE = new Set<LedgerType>(['grant', 'addon', 'expire', 'adjust'])

/** A filter of ledger rows; undefined fields match every row. */
export interface LedgerFilter extends Instants {
  type: LedgerType | undefined
}

/** A row's keyset position: by time within a range of time, else by sequence. */
export interface LedgerPosition {
  at: number
  sequence: number
}

/**
 * Returns a page of ledger rows, newest or oldest first, after a position. Types are literals in the
 * SQL, because the partial index of the rare types matches literals only.
 */
export async function listLedger(
  db: Db,
  workspaceId: string,
  filter: LedgerFilter,
  page: { order: 'new' | 'old'; limit: number; after: LedgerPosition | undefined; last?: number },
): Promise<LedgerEntry[]> {
  const { from, until, type } = filter
  const { order, after, last } = page
  const isByTime = from !== undefined || until !== undefined
  const beyond = sql.raw(order === 'new' ? '<' : '>')
  const way = sql.raw(order === 'new' ? 'desc' : 'asc')
  const conditions: RawBuilder<unknown>[] = [sql`workspace_id = ${workspaceId}`]
  if (type !== undefined) conditions.push(sql`type = ${sql.lit(type)}`)
  if (type !== undefined && RARE.has(type)) {
    conditions.push(sql`type in ('grant', 'addon', 'expire', 'adjust')`)
  }
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (until !== undefined) conditions.push(sql`created_at < ${until}`)
  if (last !== undefined) conditions.push(sql`sequence <= ${last}`)
  if (after && isByTime) {
    conditions.push(sql`(created_at, sequence) ${beyond} (${after.at}, ${after.sequence})`)
  } else if (after) {
    conditions.push(sql`sequence ${beyond} ${after.sequence}`)
  }
  const sorted = isByTime ? sql`created_at ${way}, sequence ${way}` : sql`sequence ${way}`
  const { rows } = await sql<LedgerEntry>`
    select * from ledger where ${sql.join(conditions, sql` and `)}
    order by ${sorted} limit ${page.limit}`.execute(db)
  return rows
}
