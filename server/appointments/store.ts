import { type Selectable, sql } from 'kysely'
import type { SessionRow } from '../chat/session/store.ts'
import type { Cursor } from '../lib/cursor.ts'
import type { Db, Tables } from '../storage/database.ts'
import { keysetBefore } from '../storage/keyset.ts'
import type { TimeRange } from './slots.ts'

export type AppointmentRow = Selectable<Tables['appointments']>

/** Locks the site's calendar until the transaction ends: the next booking reads this one's rows. */
export async function lockCalendar(db: Db, workspaceId: string, tenantId: string): Promise<void> {
  await sql`update tenants set slot_minutes = slot_minutes
    where workspace_id = ${workspaceId} and id = ${tenantId}`.execute(db)
}

/** Returns the booked appointments that overlap a range, in order. */
export async function listBooked(
  db: Db,
  place: { workspaceId: string; tenantId: string },
  span: TimeRange,
): Promise<(TimeRange & { id: string })[]> {
  const { rows } = await sql<TimeRange & { id: string }>`
    select id, start_at as start, end_at as "end" from appointments
    where workspace_id = ${place.workspaceId} and tenant_id = ${place.tenantId}
      and state = 'booked' and start_at < ${span.end} and end_at > ${span.start}
    order by start_at`.execute(db)
  return rows
}

export async function insertAppointment(db: Db, row: AppointmentRow): Promise<void> {
  await db.insertInto('appointments').values(row).execute()
}

/** Updates a booked appointment and returns it; `undefined` for a cancelled or unknown one. */
export async function updateAppointment(
  db: Db,
  place: { workspaceId: string; id: string },
  values: Partial<AppointmentRow>,
): Promise<AppointmentRow | undefined> {
  return db
    .updateTable('appointments')
    .set((eb) => ({ ...values, changes: eb('changes', '+', 1) }))
    .where('workspace_id', '=', place.workspaceId)
    .where('id', '=', place.id)
    .where('state', '=', 'booked')
    .returningAll()
    .executeTakeFirst()
}

/** Returns an appointment by its id, of any workspace: the caller checks the owner. */
export async function findAppointment(db: Db, id: string): Promise<AppointmentRow | undefined> {
  return db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Counts the upcoming appointments of a session, and of its visitor in all sessions. */
export async function countUpcoming(
  db: Db,
  { workspace_id, id, visitor_id }: SessionRow,
  now: number,
): Promise<{ ofSession: number; ofVisitor: number }> {
  const { rows } = await sql<{ ofSession: number; ofVisitor: number }>`
    select coalesce(sum(case when session_id = ${id} then 1 else 0 end), 0) as "ofSession",
      count(*) as "ofVisitor"
    from appointments
    where workspace_id = ${workspace_id} and state = 'booked' and start_at > ${now}
      and (session_id = ${id} or session_id in (
        select id from sessions where workspace_id = ${workspace_id}
          and visitor_id = ${visitor_id}))`.execute(db)
  return rows[0] ?? { ofSession: 0, ofVisitor: 0 }
}

/** The filter of a list or a file. */
export interface AppointmentFilter {
  tenantId?: string | undefined
  state?: AppointmentRow['state'] | undefined
  /** Bounds of `start_at`, the second excluded. */
  from?: number | undefined
  to?: number | undefined
}

export async function listAppointments(
  db: Db,
  workspaceId: string,
  page: AppointmentFilter & { limit: number; after: Cursor | undefined },
): Promise<AppointmentRow[]> {
  let query = db
    .selectFrom('appointments')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where(keysetBefore('created_at', page.after))
  if (page.tenantId !== undefined) query = query.where('tenant_id', '=', page.tenantId)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  if (page.from !== undefined) query = query.where('start_at', '>=', page.from)
  if (page.to !== undefined) query = query.where('start_at', '<', page.to)
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the addresses of the workspace's owners, and their languages where they chose one. */
export async function listOwners(
  db: Db,
  workspaceId: string,
): Promise<{ email: string; locale: string | null }[]> {
  return db
    .selectFrom('users')
    .select(['email', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .execute()
}

/** Returns how often the address of a site's calendar was changed. */
export async function findFeedVersion(
  db: Db,
  tenant: { id: string; workspace_id: string },
): Promise<number> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('version')
    .where('workspace_id', '=', tenant.workspace_id)
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Counts a change of the address, and returns the new count. */
export async function raiseFeedVersion(
  db: Db,
  tenant: { id: string; workspace_id: string },
): Promise<number> {
  const { version } = await db
    .insertInto('calendar_feeds')
    .values({ tenant_id: tenant.id, workspace_id: tenant.workspace_id, version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('tenant_id')
        .doUpdateSet((eb) => ({ version: eb('calendar_feeds.version', '+', 1) })),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}
