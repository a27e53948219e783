import { sql } from 'kysely'
import { z } from 'zod'
import type { Context, Transaction } from '../../context.ts'
import { isoTime } from '../../http/pagination.ts'
import type { LiveEvent, LiveSource } from '../../live/feed.ts'
import {
  type LiveMessage,
  type LiveState,
  Person,
  StateReason,
  type WorkspaceInbox,
  type WorkspaceMessage,
  type WorkspaceNote,
  type WorkspaceRead,
  type WorkspaceRemoved,
  type WorkspaceSession,
  type WorkspaceState,
} from '../../live/schema.ts'
import type { Db, Tables } from '../../storage/database.ts'
import { valuesTable } from '../../storage/values-table.ts'
import { parseAttachments } from './stored-attachments.ts'
import { parseCitations } from './stored-citations.ts'
import { SessionState } from '../schema.ts'
import { appendEvents } from './store.events.ts'
import type { SessionRow } from './store.ts'
import { DAY_MS } from '../../lib/durations.ts'

const EVENT_RETENTION_MS = 7 * DAY_MS

/** The stored data of each kind; messages and notes are read from their own tables. */
const Stored = {
  session: z.object({}),
  message: z.object({
    unread: z.int(),
    author: Person.nullable(),
    quick_replies: z.array(z.string()),
    form: z.enum(['lead', 'appointment']).nullable(),
  }),
  state: z.object({ state: SessionState, assignee: Person.nullable(), reason: StateReason }),
  read: z.object({
    reader: z.enum(['visitor', 'operator']),
    message_id: z.string(),
    read_at: z.string(),
    unread: z.int(),
  }),
  note: z.object({ author: Person.nullable() }),
  inbox: z.object({ tags: z.array(z.string()), snoozed_until: z.string().nullable() }),
  removed: z.object({ session_id: z.string(), tenant_id: z.string() }),
} as const
type SessionEventKind = keyof typeof Stored

/**
 * Records an event, which streams send after the commit. `session` is the row that the update
 * returned, with the event's sequence.
 */
export function recordEvent<Name extends SessionEventKind>(
  tx: Transaction,
  session: Pick<SessionRow, 'workspace_id' | 'event_count'> & { id: string | null },
  event: {
    kind: Name
    data: z.infer<(typeof Stored)[Name]>
    messageSequence?: number
    noteId?: string
  },
): void {
  tx.live.append(tx, {
    workspaceId: session.workspace_id,
    sessionId: session.id,
    sequence: session.event_count,
    kind: event.kind,
    messageSequence: event.messageSequence ?? null,
    noteId: event.noteId ?? null,
    data: JSON.stringify(event.data),
    at: tx.now(),
  })
}

/** An event joined with its subject; the columns of an erased subject are null. */
interface EventRow {
  position: number
  session_id: string | null
  sequence: number
  kind: Tables['session_events']['kind']
  data: string
  tenant_id: string | null
  channel: string | null
  locale: string | null
  page_url: string | null
  visitor_id: string | null
  started_at: number | null
  message_id: string | null
  role: LiveMessage['role'] | null
  content: string | null
  citations: string | null
  attachments: string | null
  said_at: number | null
  note_id: string | null
  note: string | null
  noted_at: number | null
}

/** Returns the source from which live streams read their events. */
export function liveSource(db: Db): LiveSource {
  const read = async (
    where: ReturnType<typeof sql>,
    order: 'position' | 'sequence',
    limit: number,
  ) => {
    const { rows } = await sql<EventRow>`
      select e.position, e.session_id, e.sequence, e.kind, e.data, s.tenant_id, s.channel,
        s.locale, s.page_url, s.visitor_id, s.created_at as started_at, m.id as message_id, m.role,
        m.content, m.citations, m.attachments, m.created_at as said_at, n.id as note_id, n.text as note,
        n.created_at as noted_at
      from session_events e
      left join sessions s on s.id = e.session_id
      left join messages m on m.session_id = e.session_id and m.sequence = e.message_sequence
      left join notes n on n.id = e.note_id
      where ${where} order by ${sql.raw(`e.${order}`)} limit ${limit}`.execute(db)
    return rows.map(toLiveEvent)
  }
  return {
    append: appendEvents,
    ofWorkspace: (workspaceId, after, limit) =>
      read(sql`e.workspace_id = ${workspaceId} and e.position > ${after}`, 'position', limit),
    ofSession: ({ workspaceId, sessionId }, after, limit) =>
      read(
        sql`e.workspace_id = ${workspaceId} and e.session_id = ${sessionId}
          and e.sequence > ${after}`,
        'sequence',
        limit,
      ),
    async positionsOf(workspaceIds) {
      const requested = valuesTable(
        db,
        ['text'],
        workspaceIds.map((id) => [id]),
      )
      const { rows } = await sql<{ workspace_id: string; position: number }>`
        select feeds.workspace_id, feeds.position from workspace_feeds feeds
        join ${requested} as requested on requested.c0 = feeds.workspace_id`.execute(db)
      return new Map(rows.map((row) => [row.workspace_id, row.position]))
    },
  }
}

function toLiveEvent(row: EventRow): LiveEvent {
  return {
    position: row.position,
    sessionId: row.session_id,
    sequence: row.sequence,
    removes:
      row.kind === 'removed' ? Stored.removed.parse(JSON.parse(row.data)).session_id : undefined,
    show: (reader) => {
      const data = reader === 'session' ? forSession(row) : forWorkspace(row)
      return data && { name: row.kind, data }
    },
  }
}

/**
 * Returns the event as the visitor's stream sends it; `undefined` for an event of operators only.
 */
function forSession(row: EventRow): object | undefined {
  if (row.session_id === null) return undefined
  if (row.kind === 'message') return messageOf(row)
  if (row.kind === 'state') {
    const { state, assignee } = Stored.state.parse(JSON.parse(row.data))
    return serializeState(row.session_id, state, assignee)
  }
  if (row.kind === 'read') {
    const { unread: _, ...read } = Stored.read.parse(JSON.parse(row.data))
    return { session_id: row.session_id, ...read }
  }
  return undefined
}

function forWorkspace(row: EventRow): object | undefined {
  const { session_id, tenant_id } = row
  const stored: unknown = JSON.parse(row.data)
  if (row.kind === 'removed') return Stored.removed.parse(stored) satisfies WorkspaceRemoved
  if (session_id === null || tenant_id === null) return undefined
  const place = { session_id, tenant_id }
  switch (row.kind) {
    case 'session':
      return sessionOf(row, place)
    case 'message': {
      const message = messageOf(row)
      const { unread, author } = Stored.message.parse(stored)
      return message && ({ ...message, tenant_id, unread, author } satisfies WorkspaceMessage)
    }
    case 'state':
      return { ...place, ...Stored.state.parse(stored) } satisfies WorkspaceState
    case 'read':
      return { ...place, ...Stored.read.parse(stored) } satisfies WorkspaceRead
    case 'note':
      return noteOf(row, place)
    case 'inbox':
      return { ...place, ...Stored.inbox.parse(stored) } satisfies WorkspaceInbox
  }
}

/** Returns the session's state as its visitor sees it. */
export function serializeState(
  session_id: string,
  state: SessionState,
  assignee: Person | null,
): LiveState {
  const operator = assignee && { name: assignee.name, picture_url: assignee.picture_url ?? null }
  return { session_id, state, operator }
}

function messageOf(row: EventRow): LiveMessage | undefined {
  const { session_id, message_id, role, content, said_at } = row
  if (session_id === null || message_id === null) return undefined
  if (role === null || content === null || said_at === null) return undefined
  const { quick_replies, form } = Stored.message.parse(JSON.parse(row.data))
  return {
    message_id,
    session_id,
    role,
    content,
    citations: parseCitations(row.citations),
    attachments: parseAttachments(row.attachments),
    created_at: isoTime(said_at),
    quick_replies,
    form,
  }
}

function sessionOf(
  row: EventRow,
  place: { session_id: string; tenant_id: string },
): WorkspaceSession | undefined {
  const { channel, locale, page_url, visitor_id, started_at } = row
  if (channel === null || locale === null || started_at === null) return undefined
  // The state at the start of the session: later events carry the changes.
  const state = 'bot'
  return { ...place, state, channel, locale, page_url, visitor_id, created_at: isoTime(started_at) }
}

function noteOf(
  row: EventRow,
  place: { session_id: string; tenant_id: string },
): WorkspaceNote | undefined {
  const { note_id, note, noted_at } = row
  if (note_id === null || note === null || noted_at === null) return undefined
  const { author } = Stored.note.parse(JSON.parse(row.data))
  return { ...place, note_id, author, text: note, created_at: isoTime(noted_at) }
}

/** Deletes events past their retention. Idempotent. */
export async function expireSessionEvents({ db, now }: Context): Promise<void> {
  await db
    .deleteFrom('session_events')
    .where('created_at', '<=', now() - EVENT_RETENTION_MS)
    .execute()
}
