import { listFeedback } from '../chat/session/store.feedback.ts'
import { serializeFeedback } from '../chat/session/feedback.ts'
import { serializeMessage } from '../chat/session/messages.ts'
import type { Identity } from '../chat/schema.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { Context } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { serializeLead } from '../leads/serialize.ts'
import { findSessionLead } from '../leads/store.ts'
import { type Cursor, encodeCursor } from '../lib/cursor.ts'
import type { Person } from '../live/schema.ts'
import type { Conversation, InboxMessage, InboxSession, Note } from './schema.ts'
import {
  type AuthoredRow,
  type InboxRow,
  type NoteRow,
  findInboxSession,
  findMessageIds,
  listNewest,
  listNotes,
} from './store.ts'

/** Maximum length of the last message in a list, in UTF-16 units. */
const PREVIEW_LENGTH = 200

/** Returns a session as a list shows it. */
export function serializeInboxSession(row: InboxRow): InboxSession {
  const { last_role: role, last_content: content, last_at } = row
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    state: row.state,
    channel: row.channel,
    locale: row.locale,
    page_url: row.page_url,
    visitor_id: row.visitor_id,
    identity: identityOf(row),
    assignee: personOf(row.assignee_id, row.assignee_name),
    unread: row.unread,
    last_message:
      role === null || content === null || last_at === null
        ? null
        : { role, content: preview(content), created_at: isoTime(last_at) },
    lead_name: row.lead_name,
    waiting_since: row.waiting_since === null ? null : isoTime(row.waiting_since),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}

/** Returns a session after an update. Throws 404 when the session was erased concurrently. */
export async function readInboxSession(ctx: Context, session: SessionRow): Promise<InboxSession> {
  return serializeInboxSession(await findRow(ctx, session))
}

/** Returns a session with a page of its messages, its notes, feedback, lead and identity. */
export async function readConversation(
  ctx: Context,
  session: SessionRow,
  page: { limit: number; before: Cursor | undefined },
): Promise<Conversation> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const [row, newest, notes, lead, feedback, read] = await Promise.all([
    findRow(ctx, session),
    listNewest(ctx.db, place, { limit: page.limit, before: page.before?.at }),
    listNotes(ctx.db, place),
    findSessionLead(ctx.db, place),
    listFeedback(ctx.db, place),
    findMessageIds(ctx.db, place, [session.visitor_read, session.operator_read]),
  ])
  const shown = newest.slice(0, page.limit).toReversed()
  const [oldest] = shown
  return {
    ...serializeInboxSession(row),
    messages: {
      data: shown.map(serializeInboxMessage),
      next_cursor:
        oldest && newest.length > page.limit
          ? encodeCursor({ at: oldest.sequence, id: oldest.id })
          : null,
    },
    notes: notes.map(serializeNote),
    lead: lead ? serializeLead(lead) : null,
    feedback: feedback.map(serializeFeedback),
    read_by_visitor: read.get(session.visitor_read) ?? null,
    read_by_operator: read.get(session.operator_read) ?? null,
  }
}

async function findRow(ctx: Context, session: SessionRow): Promise<InboxRow> {
  const row = await findInboxSession(ctx.db, session.workspace_id, session.id)
  if (!row) throw new AppError('not_found', 'There is no such session.')
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

function preview(content: string): string {
  if (content.length <= PREVIEW_LENGTH) return content
  // Half a surrogate pair at the cut would be invalid text.
  return `${content
    .slice(0, PREVIEW_LENGTH)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
