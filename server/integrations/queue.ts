import { sql } from 'kysely'
import type { Db } from '../storage/database.ts'
import type { QueueColumns } from './tables.ts'

/** The tables that are worked off row by row. */
export type QueueTable = 'inbound_events' | 'channel_messages' | 'social_posts'

/** A row that this process has in hand, for as long as its number of attempts stays. */
export type Claimed = Pick<QueueColumns, 'id' | 'workspace_id' | 'attempts'>

/** Takes rows that are due and the first of their lanes, each for one process, until `until`. */
export async function claimDue<Row extends QueueColumns>(
  db: Db,
  table: QueueTable,
  claim: { now: number; until: number; most: number },
): Promise<Row[]> {
  const free = sql`state = 'waiting' and next_at <= ${claim.now}
    and (lease_until is null or lease_until <= ${claim.now})`
  const { rows } = await sql<Row>`
    update ${sql.table(table)}
    set lease_until = ${claim.until}, attempts = attempts + 1
    where ${free} and id in (
      select due.id from ${sql.table(table)} as due
      where due.state = 'waiting' and due.next_at <= ${claim.now}
        and (due.lease_until is null or due.lease_until <= ${claim.now})
        and not exists (
          select 1 from ${sql.table(table)} as earlier
          where earlier.integration_id = due.integration_id and earlier.lane = due.lane
            and earlier.state = 'waiting'
            and (earlier.created_at, earlier.position, earlier.id)
              < (due.created_at, due.position, due.id)
        )
      order by due.next_at limit ${claim.most}
    )
    returning *`.execute(db)
  return rows
}

/** Ends a row; false when somebody else has it by now. Inside the transaction of what it caused. */
export async function endRow(
  db: Db,
  table: QueueTable,
  row: Claimed,
  end: { state: 'done' | 'failed'; error: string | null; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)}
    set state = ${end.state}, error = ${end.error}, ended_at = ${end.now}, lease_until = null
    where id = ${row.id} and workspace_id = ${row.workspace_id} and state = 'waiting'
      and attempts = ${row.attempts} returning id`.execute(db)
  return rows.length > 0
}

/** Puts a row back until `nextAt`, unless somebody else has it by now. */
export async function delayRow(
  db: Db,
  table: QueueTable,
  row: Claimed,
  delay: { nextAt: number; error: string },
): Promise<void> {
  await sql`
    update ${sql.table(table)}
    set next_at = ${delay.nextAt}, error = ${delay.error}, lease_until = null
    where id = ${row.id} and workspace_id = ${row.workspace_id} and state = 'waiting'
      and attempts = ${row.attempts}`.execute(db)
}

/** At the start of the only process: what was in hand then has been dropped. */
export async function endLeases(db: Db, table: QueueTable): Promise<void> {
  await sql`
    update ${sql.table(table)} set lease_until = null
    where state = 'waiting' and lease_until is not null`.execute(db)
}

/** Forgets rows that ended before a time. */
export async function deleteEnded(db: Db, table: QueueTable, before: number): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where state <> 'waiting' and ended_at <= ${before}`.execute(db)
}
