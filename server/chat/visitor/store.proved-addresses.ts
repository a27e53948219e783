import { sql } from 'kysely'
import type { Db } from '../../storage/database.ts'

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
