import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../storage/database.ts'
import type { Instants } from './range.ts'
import type { LedgerType } from './schema.ts'
import type { LedgerEntry } from './store.ts'

/** Types that no run writes. They are few, and have an index of their own. */
const RARE = new Set<LedgerType>(['grant', 'addon', 'expire', 'adjust'])

/** Which rows of the ledger; all of them where nothing is said. */
export interface LedgerFilter extends Instants {
  type: LedgerType | undefined
}

/** A row's place: within a range of time the order is by time, else it is the ledger's own. */
export interface LedgerPosition {
  at: number
  sequence: number
}

/**
 * Some rows of the ledger, new ones first or old ones first, beyond a place. The literals are what
 * lets both databases use the index of the rare types.
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
