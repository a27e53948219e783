import { type RawBuilder, sql } from 'kysely'
import { SessionState } from '../chat/schema.ts'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import type { Cursor } from '../lib/cursor.ts'
import type { Db } from '../storage/database.ts'

/** A session joined with the columns that the inbox shows. */
export interface InboxRow extends SessionRow {
  assignee_name: string | null
  assignee_picture: string | null
  lead_name: string | null
  contact_name: string | null
  contact_email: string | null
  contact_phone: string | null
  last_role: MessageRow['role'] | null
  last_content: string | null
  last_at: number | null
  identity_subject: string | null
  identity_name: string | null
  identity_email: string | null
  identity_phone: string | null
  identity_at: number | null
  verified_at: number | null
}

/** The filters of a list; an undefined one matches all. */
export interface InboxFilter {
  workspaceId: string
  states: readonly SessionState[] | undefined
  /** A member's id, or null for unassigned sessions. */
  assigneeId: string | null | undefined
  tenantId: string | undefined
  isUnread: boolean | undefined
  tag: string | undefined
  isSnoozed: boolean | undefined
  now: number
}

/** A session that a search looks at: whether a message fits, and the visitor's contact details. */
export interface SearchCandidate {
  id: string
  updated_at: number
  /** 1 for a session with a message that has the text. */
  is_hit: number
  contact_name: string | null
  contact_email: string | null
  contact_phone: string | null
  identity_name: string | null
  identity_email: string | null
  identity_phone: string | null
}

/** Contact details of the lead, else the parts that were written so far. */
const CONTACT = sql`coalesce(leads.name, lead_drafts.name) as contact_name,
  coalesce(leads.email, lead_drafts.email) as contact_email,
  coalesce(leads.phone, lead_drafts.phone) as contact_phone`
const COLUMNS = sql`
  sessions.*, users.name as assignee_name,
  users.picture_id as assignee_picture, leads.name as lead_name, ${CONTACT}, messages.role as last_role, messages.content as last_content,
  messages.created_at as last_at, identities.subject as identity_subject,
  identities.name as identity_name, identities.email as identity_email,
  identities.phone as identity_phone, identities.updated_at as identity_at,
  identities.verified_at as verified_at`
const JOINS = sql`
  left join users on users.id = sessions.assignee_id
  left join leads on leads.session_id = sessions.id
  left join lead_drafts on lead_drafts.session_id = sessions.id
  left join messages on messages.session_id = sessions.id
    and messages.sequence = sessions.message_count
  left join identities on identities.visitor_id = sessions.visitor_id`
const EVERY = sql`1 = 1`

/** Returns sessions in the order of their last activity, newest first; one more than `limit`. */
export async function listInbox(
  db: Db,
  filter: InboxFilter,
  page: { limit: number; after: Cursor | undefined },
): Promise<InboxRow[]> {
  const { rows } = await sql<InboxRow>`
    select ${COLUMNS} from (${candidates(filter, page.after, page.limit + 1)}) as page
    join sessions on sessions.id = page.id ${JOINS}
    order by sessions.updated_at desc, sessions.id desc`.execute(db)
  return rows
}

/** Returns these sessions of a workspace in the order of the inbox. */
export async function listInboxByIds(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<InboxRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<InboxRow>`
    select ${COLUMNS} from sessions ${JOINS}
    where sessions.workspace_id = ${workspaceId} and sessions.id in (${sql.join(ids)})
    order by sessions.updated_at desc, sessions.id desc`.execute(db)
  return rows
}

/**
 * Returns the next sessions of the inbox, up to `limit`, and which of them have a message that
 * fits the folded pattern.
 */
export async function listSearchCandidates(
  db: Db,
  filter: InboxFilter,
  page: { limit: number; after: Cursor | undefined; pattern: string },
): Promise<SearchCandidate[]> {
  const { rows } = await sql<SearchCandidate>`
    select page.id, page.updated_at, ${CONTACT}, identities.name as identity_name,
      identities.email as identity_email, identities.phone as identity_phone,
      case when exists (select 1 from messages where messages.session_id = page.id
        and messages.workspace_id = ${filter.workspaceId} and messages.role <> 'system'
        and coalesce(messages.folded, messages.content) like ${page.pattern} escape '\\')
      then 1 else 0 end as is_hit
    from (${candidates(filter, page.after, page.limit)}) as page
    left join leads on leads.session_id = page.id
    left join lead_drafts on lead_drafts.session_id = page.id
    left join identities on identities.visitor_id = page.visitor_id
    order by page.updated_at desc, page.id desc`.execute(db)
  return rows
}

/**
 * Returns the sessions of a page. Each state is read from its own range of the index, so that a
 * few open sessions are found behind any number of closed ones.
 */
function candidates(
  { states, ...filter }: InboxFilter,
  after: Cursor | undefined,
  limit: number,
): RawBuilder<unknown> {
  const branches = (states ?? [undefined]).map(
    (state) => sql`select * from (
      select id, updated_at, visitor_id from sessions
      where workspace_id = ${filter.workspaceId}
        and ${state ? sql`state = ${state}` : EVERY} and ${conditions(filter)}
        and ${after ? sql`(updated_at, id) < (${after.at}, ${after.id})` : EVERY}
      order by updated_at desc, id desc limit ${limit}) as branch`,
  )
  return sql`${sql.join(branches, sql` union all `)} order by updated_at desc, id desc limit ${limit}`
}

function conditions(filter: Omit<InboxFilter, 'states'>): RawBuilder<unknown> {
  const { workspaceId, assigneeId, tenantId, isUnread, tag, isSnoozed, now } = filter
  const wanted = [
    tenantId === undefined ? undefined : sql`tenant_id = ${tenantId}`,
    assigneeId === undefined
      ? undefined
      : assigneeId === null
        ? sql`assignee_id is null`
        : sql`assignee_id = ${assigneeId}`,
    isUnread === undefined ? undefined : isUnread ? sql`unread > 0` : sql`unread = 0`,
    isSnoozed === undefined
      ? undefined
      : isSnoozed
        ? sql`snoozed_until > ${now}`
        : sql`(snoozed_until is null or snoozed_until <= ${now})`,
    tag === undefined
      ? undefined
      : sql`id in (select session_id from session_tags
          where workspace_id = ${workspaceId} and tag = ${tag})`,
  ].filter((condition) => condition !== undefined)
  return wanted.length === 0 ? EVERY : sql.join(wanted, sql` and `)
}

export async function findInboxSession(
  db: Db,
  workspaceId: string,
  sessionId: string,
): Promise<InboxRow | undefined> {
  const [row] = await listInboxByIds(db, workspaceId, [sessionId])
  return row
}

/** Counts the sessions of a workspace by state, and those of a member; snoozed ones apart. */
export async function countInbox(
  db: Db,
  { workspaceId, userId, now }: { workspaceId: string; userId: string; now: number },
): Promise<{ waiting: number; mine: number; open: number; closed: number }> {
  interface Count {
    state: SessionState
    count: number
  }
  const [all, snoozed, mine] = await Promise.all([
    sql<Count>`
      select state, count(*) as count from sessions
      where workspace_id = ${workspaceId} group by state`.execute(db),
    sql<Count>`
      select state, count(*) as count from sessions
      where workspace_id = ${workspaceId} and snoozed_until > ${now} group by state`.execute(db),
    sql<{ count: number }>`
      select count(*) as count from sessions
      where workspace_id = ${workspaceId} and assignee_id = ${userId} and state <> 'closed'
        and (snoozed_until is null or snoozed_until <= ${now})`.execute(db),
  ])
  const countOf = (state: SessionState, { rows }: { rows: Count[] }) =>
    rows.find((row) => row.state === state)?.count ?? 0
  const visible = (state: SessionState) => countOf(state, all) - countOf(state, snoozed)
  return {
    waiting: visible('waiting'),
    mine: mine.rows[0]?.count ?? 0,
    open: SessionState.options
      .filter((state) => state !== 'closed')
      .reduce((sum, state) => sum + visible(state), 0),
    closed: visible('closed'),
  }
}

/** Returns a visitor's other sessions with their last messages, newest first. */
export async function listEarlier(
  db: Db,
  { workspace_id, tenant_id, visitor_id, id }: SessionRow,
  max: number,
): Promise<InboxRow[]> {
  if (visitor_id === null) return []
  const { rows } = await sql<InboxRow>`
    select ${COLUMNS} from sessions ${JOINS}
    where sessions.workspace_id = ${workspace_id} and sessions.tenant_id = ${tenant_id}
      and sessions.visitor_id = ${visitor_id} and sessions.id <> ${id}
    order by sessions.created_at desc, sessions.id desc limit ${max}`.execute(db)
  return rows
}
