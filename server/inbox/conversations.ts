import { listFeedback } from '../chat/session/store.feedback.ts'
import { serializeFeedback } from '../chat/session/feedback.ts'
import { serializeMessage } from '../chat/session/messages.ts'
import type { Identity } from '../chat/schema.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { Context } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { serializeManagedLead } from '../leads/serialize.ts'
import { findSessionLead } from '../leads/store.ts'
import { type Cursor, encodeCursor } from '../lib/cursor.ts'
import type { Person } from '../live/schema.ts'
import { pictureUrl } from '../platform/auth/store.ts'
import type { Conversation, InboxMessage, InboxSession, Note } from './schema.ts'
import { type AuthoredRow, type NoteRow, findMessageIds, listNewest, listNotes } from './store.ts'
import { type InboxRow, findInboxSession, listEarlier } from './store.list.ts'
import { findTags } from './store.tags.ts'

/** Maximum length of the last message in a list, in UTF-16 units. */
const PREVIEW_LENGTH = 160
const MAX_EARLIER = 20

/** Returns sessions of a workspace as a list shows them. */
export async function serializeInboxSessions(
  ctx: Context,
  workspaceId: string,
  rows: readonly InboxRow[],
): Promise<InboxSession[]> {
  const ids = rows.map(({ id }) => id)
  const tags = await findTags(ctx.db, workspaceId, ids)
  return rows.map((row) => serializeInboxSession(row, tags.get(row.id) ?? []))
}

function serializeInboxSession(row: InboxRow, tags: string[]): InboxSession {
  const assignee = personOf(row.assignee_id, row.assignee_name)
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    state: row.state,
    channel: row.channel,
    locale: row.locale,
    page_url: row.page_url,
    visitor_id: row.visitor_id,
    identity: identityOf(row),
    assignee: assignee && { ...assignee, picture_url: pictureUrl(row.assignee_picture) },
    visitor: visitorOf(row),
    tags,
    snoozed_until: row.snoozed_until === null ? null : isoTime(row.snoozed_until),
    unread: row.unread,
    last_message: lastMessageOf(row),
    lead_name: row.lead_name,
    waiting_since: row.waiting_since === null ? null : isoTime(row.waiting_since),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

/** Returns a session after an update. Throws 404 when the session was erased concurrently. */
export async function readInboxSession(ctx: Context, session: SessionRow): Promise<InboxSession> {
  const rows = [await findRow(ctx, session)]
  const [shown] = await serializeInboxSessions(ctx, session.workspace_id, rows)
  if (!shown) throw new Error('A session is shown as one session.')
  return shown
}

/** Returns a session with a page of its messages, its notes, feedback, lead and identity. */
export async function readConversation(
  ctx: Context,
  session: SessionRow,
  page: { limit: number; before: Cursor | undefined },
): Promise<Conversation> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const [shownSession, newest, notes, lead, earlier, feedback, read] = await Promise.all([
    readInboxSession(ctx, session),
    listNewest(ctx.db, place, { limit: page.limit, before: page.before?.at }),
    listNotes(ctx.db, place),
    findSessionLead(ctx.db, place),
    listEarlier(ctx.db, session, MAX_EARLIER),
    listFeedback(ctx.db, place),
    findMessageIds(ctx.db, place, [session.visitor_read, session.operator_read]),
  ])
  const shown = newest.slice(0, page.limit).toReversed()
  const [oldest] = shown
  return {
    ...shownSession,
    messages: {
      data: shown.map(serializeInboxMessage),
      next_cursor:
        oldest && newest.length > page.limit
          ? encodeCursor({ at: oldest.sequence, id: oldest.id })
          : null,
    },
    notes: notes.map(serializeNote),
    lead: lead ? serializeManagedLead(lead) : null,
    earlier: earlier.map((row) => ({
      session_id: row.id,
      created_at: isoTime(row.created_at),
      last_message: lastMessageOf(row),
    })),
    feedback: feedback.map(serializeFeedback),
    read_by_visitor: read.get(session.visitor_read) ?? null,
    read_by_operator: read.get(session.operator_read) ?? null,
  }
}

async function findRow(ctx: Context, session: SessionRow): Promise<InboxRow> {
  const row = await findInboxSession(ctx.db, session.workspace_id, session.id)
  if (!row) throw new AppError('not_found', 'This session does not exist.')
  return row
}

export function serializeInboxMessage(row: AuthoredRow): InboxMessage {
  return { ...serializeMessage(row), author: personOf(row.author_id, row.author_name) }
}

export function serializeNote(row: NoteRow): Note {
  return {
    note_id: row.id,
    session_id: row.session_id,
    author: personOf(row.author_id, row.author_name),
    text: row.text,
    created_at: isoTime(row.created_at),
  }
}

function personOf(user_id: string | null, name: string | null): Person | null {
  return user_id === null || name === null ? null : { user_id, name }
}

function identityOf(row: InboxRow): Identity | null {
  if (row.identity_at === null) return null
  return {
    subject: row.identity_subject,
    name: row.identity_name,
    email: row.identity_email,
    phone: row.identity_phone,
    is_verified: row.verified_at !== null,
  }
}

/** Returns what is known of the visitor; what the site's server signed comes first. */
function visitorOf(row: InboxRow): InboxSession['visitor'] {
  const { contact_name, contact_email, contact_phone } = row
  const { identity_name, identity_email, identity_phone } = row
  const isSigned = row.verified_at !== null
  const first = (signed: string | null, given: string | null) =>
    (isSigned ? signed || given : given || signed) || null
  return {
    name: first(identity_name, contact_name),
    email: first(identity_email, contact_email),
    phone: first(identity_phone, contact_phone),
    page_url: row.page_url,
    locale: row.locale,
  }
}

function lastMessageOf({
  last_role: role,
  last_content: content,
  last_at: at,
}: InboxRow): InboxSession['last_message'] {
  if (role === null || content === null || at === null) return null
  return { role, content: preview(content), created_at: isoTime(at) }
}

function preview(content: string): string {
  if (content.length <= PREVIEW_LENGTH) return content
  // Half a surrogate pair at the cut would be invalid text.
  return `${content
    .slice(0, PREVIEW_LENGTH - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
