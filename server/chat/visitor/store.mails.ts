import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'

/**
 * Counts one mail in each counter, in the order of the list, which is the order of the locks; returns
 * the counts and their ends. The window of a counter begins with its first mail.
 */
export async function countAgainstLimits(
  db: Db,
  counters: readonly { counter: string; ms: number }[],
  now: number,
): Promise<{ counter: string; sent: number; ends_at: number }[]> {
  const rows = counters.map(({ counter, ms }) => sql`(${counter}, 1, ${now + ms})`)
  const counted = await sql<{ counter: string; sent: number; ends_at: number }>`
    insert into mail_counts (counter, sent, ends_at) values ${sql.join(rows)}
    on conflict (counter) do update set
      sent = case when mail_counts.ends_at <= ${now} then 1 else mail_counts.sent + 1 end,
      ends_at = case when mail_counts.ends_at <= ${now} then excluded.ends_at
        else mail_counts.ends_at end
    returning counter, sent, ends_at`.execute(db)
  return counted.rows
}

/** Takes a mail that was not queued out of the counters again. */
export async function uncountAgainstLimits(
  db: Db,
  counters: readonly { counter: string }[],
): Promise<void> {
  const keys = counters.map(({ counter }) => counter)
  await sql`update mail_counts set sent = sent - 1 where counter in (${sql.join(keys)})`.execute(db)
}

/** Saves that an address is the visitor's; `address` is a digest. */
export async function saveProvedAddress(
  db: Db,
  row: { sessionId: string; workspaceId: string; address: string; now: number },
): Promise<void> {
  await sql`
    insert into proved_addresses (session_id, workspace_id, address, proved_at)
    values (${row.sessionId}, ${row.workspaceId}, ${row.address}, ${row.now})
    on conflict (session_id, address) do nothing`.execute(db)
}

/** Returns whether a session has proved an address, which any of the digests may stand for. */
export async function hasProvedAddress(
  db: Db,
  place: { sessionId: string; workspaceId: string },
  digests: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select proved_at from proved_addresses where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} and address in (${sql.join(digests)})`.execute(db)
  return rows.length > 0
}
