import { type Selectable, sql } from 'kysely'
import type { SessionRow } from '../chat/session/store.ts'
import type { Db, Tables } from '../storage/database.ts'

/** Returns the workspace that stores data of a visitor. */
export async function findVisitorOwner(db: Db, visitorId: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from sessions where visitor_id = ${visitorId}
    union select workspace_id from identities where visitor_id = ${visitorId}
    union select workspace_id from channel_contacts where visitor_id = ${visitorId}
    limit 1`.execute(db)
  return rows[0]?.workspace_id
}

/** Returns a visitor's ids in messaging apps. */
export async function listContacts(
  db: Db,
  workspaceId: string,
  visitorId: string,
): Promise<{ integration_id: string; kind: string; contact: string }[]> {
  const { rows } = await sql<{ integration_id: string; kind: string; contact: string }>`
    select integration_id, kind, contact from channel_contacts
    join integrations on integrations.id = channel_contacts.integration_id
    where channel_contacts.workspace_id = ${workspaceId} and visitor_id = ${visitorId}`.execute(db)
  return rows
}

/** Returns a page of a visitor's sessions, the oldest first, after a session. */
export async function listVisitorSessions(
  db: Db,
  { workspaceId, visitorId }: { workspaceId: string; visitorId: string },
  { after, limit }: { after: SessionRow | undefined; limit: number },
): Promise<SessionRow[]> {
  const isLater = after ? sql`(created_at, id) > (${after.created_at}, ${after.id})` : sql`1 = 1`
  const { rows } = await sql<SessionRow>`
    select * from sessions where workspace_id = ${workspaceId} and visitor_id = ${visitorId}
      and ${isLater}
    order by created_at, id limit ${limit}`.execute(db)
  return rows
}

export async function countVisitorSessions(
  db: Db,
  { workspaceId, visitorId }: { workspaceId: string; visitorId: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from sessions where workspace_id = ${workspaceId}
      and visitor_id = ${visitorId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the appointments of a session. */
export async function listSessionAppointments(
  db: Db,
  { workspace_id, id }: SessionRow,
): Promise<Selectable<Tables['appointments']>[]> {
  return db
    .selectFrom('appointments')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('session_id', '=', id)
    .orderBy('created_at')
    .execute()
}

/** Removes the appointments of a session that ended by a time; all of them without a time. */
export async function removeAppointments(
  db: Db,
  { workspace_id, id }: SessionRow,
  endedBy: number = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await sql`
    delete from appointments where workspace_id = ${workspace_id} and session_id = ${id}
      and end_at <= ${endedBy}`.execute(db)
}

/**
 * Removes a visitor's data outside sessions: stored answers, ids in messaging apps, and queued inbound
 * messages. Idempotent.
 */
export async function erasePersonalData(
  db: Db,
  { workspaceId, visitorId, now }: { workspaceId: string; visitorId: string; now: number },
): Promise<void> {
  await sql`
    delete from idempotency where workspace_id = ${workspaceId}
      and caller = ${visitorId}`.execute(db)
  await sql`
    update inbound_events set state = 'cancelled', ended_at = ${now}, payload = null, lane = '',
      lease_until = null
    where workspace_id = ${workspaceId} and state = 'waiting' and (integration_id, lane) in (
      select integration_id, contact from channel_contacts
      where workspace_id = ${workspaceId} and visitor_id = ${visitorId})`.execute(db)
  await sql`
    delete from channel_contacts where workspace_id = ${workspaceId}
      and visitor_id = ${visitorId}`.execute(db)
  await sql`
    delete from identities where workspace_id = ${workspaceId}
      and visitor_id = ${visitorId}`.execute(db)
}

/** Returns the sites of all workspaces that have a retention. */
export async function listTenantsWithRetention(db: Db): Promise<Selectable<Tables['tenants']>[]> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where('privacy', 'like', '%"retention_days":%')
    .where('privacy', 'not like', '%"retention_days":null%')
    .execute()
}

/** Returns sessions of a site without activity since a time, the oldest first. */
export async function listExpiredSessions(
  db: Db,
  tenant: { workspaceId: string; tenantId: string },
  wanted: { before: number; withLeads: boolean; limit: number },
): Promise<SessionRow[]> {
  const { before, withLeads, limit } = wanted
  const isWanted = withLeads
    ? sql`1 = 1`
    : sql`not exists (select 1 from leads where leads.session_id = sessions.id
        and leads.workspace_id = ${tenant.workspaceId})`
  const { rows } = await sql<SessionRow>`
    select * from sessions where workspace_id = ${tenant.workspaceId}
      and tenant_id = ${tenant.tenantId} and updated_at < ${before} and ${isWanted}
    order by updated_at limit ${limit}`.execute(db)
  return rows
}

/** Removes identities without a session that have not changed since a time. */
export async function deleteOrphanIdentities(
  db: Db,
  tenant: { workspaceId: string; tenantId: string },
  before: number,
): Promise<void> {
  await sql`
    delete from identities where workspace_id = ${tenant.workspaceId}
      and tenant_id = ${tenant.tenantId} and updated_at < ${before} and not exists (
        select 1 from sessions where sessions.visitor_id = identities.visitor_id)`.execute(db)
}

const RUNS_AT_ONCE = 500

/** Deletes the inputs of runs before a time, of one workspace or of all, in batches. */
export async function deleteRunInputs(
  db: Db,
  runs: { workspaceId: string; before: number; after: number } | { before: number },
): Promise<void> {
  const isWanted =
    'workspaceId' in runs
      ? sql`workspace_id = ${runs.workspaceId} and created_at >= ${runs.after}`
      : sql`1 = 1`
  for (;;) {
    const { numAffectedRows } = await sql`
      update runs set inputs = null where id in (
        select id from runs
        where inputs is not null and created_at < ${runs.before} and ${isWanted}
        limit ${RUNS_AT_ONCE})`.execute(db)
    if ((numAffectedRows ?? 0n) < RUNS_AT_ONCE) return
  }
}

/** Deletes the inputs of all runs of a user. */
export async function deleteMemberInputs(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  await sql`
    update runs set inputs = null
    where workspace_id = ${workspaceId} and user_id = ${userId} and inputs is not null`.execute(db)
}
