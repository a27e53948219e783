import { z } from 'zod'
import type { Transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import { isoTime } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import { fold } from '../../lib/text/fold.ts'
import type { Person } from '../../live/schema.ts'
import { type StoredAttachment, parseAttachments } from './stored-attachments.ts'
import { parseCitations } from './stored-citations.ts'
import type { Citation, HistoryMessage } from '../schema.ts'
import { recordEvent } from './session-events.ts'
import {
  type MessageRow,
  type SessionRow,
  countMessage,
  findSession,
  insertMessage,
  listMessages,
} from './store.ts'
import type { TenantRow } from '../../tenants/tenants.ts'

interface NewMessage {
  role: MessageRow['role']
  content: string
  citations?: readonly Citation[]
  /** The operator who writes the message. */
  author?: Person
  /** The bot's confidence in its answer, 0–1, and whether it is below the tenant's threshold. */
  judged?: { confidence: number; isLow: boolean }
  /** Quick replies below an answer. */
  quickReplies?: readonly string[]
  form?: 'lead' | 'appointment' | null
  attachments?: readonly StoredAttachment[]
}

/**
 * Appends a message to its session; returns the message, and the session after the update. Locks
 * the session's row. Throws 404 for an erased session.
 */
export async function addMessage(
  tx: Transaction,
  session: SessionRow,
  message: NewMessage,
): Promise<{ message: MessageRow; session: SessionRow }> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const counted = await countMessage(tx.db, place, {
    role: message.role,
    judged: message.judged,
    now: tx.now(),
  })
  if (!counted) throw new AppError('not_found', 'This session does not exist.')
  const row: MessageRow = {
    id: newId('msg'),
    workspace_id: session.workspace_id,
    session_id: session.id,
    sequence: counted.message_count,
    role: message.role,
    content: message.content,
    citations: message.citations ? JSON.stringify(message.citations) : null,
    attachments: message.attachments ? JSON.stringify(message.attachments) : null,
    author_id: message.author?.user_id ?? null,
    created_at: tx.now(),
    folded: foldedOf(message.content),
  }
  await insertMessage(tx.db, row)
  recordEvent(tx, counted, {
    kind: 'message',
    messageSequence: row.sequence,
    data: {
      unread: counted.unread,
      author: message.author ?? null,
      quick_replies: [...(message.quickReplies ?? [])],
      form: message.form ?? null,
    },
  })
  if (row.role !== 'visitor') {
    const isAnswer = message.judged !== undefined
    await emitMessageEvent(tx, counted, row, { role: row.role, is_answer: isAnswer })
  }
  return { message: row, session: counted }
}

/** Returns the text as search compares it; null for a text that is written like that already. */
function foldedOf(content: string): string | null {
  const folded = fold(content)
  return folded === content ? null : folded
}

async function emitMessageEvent(
  tx: Transaction,
  { tenant_id, channel }: SessionRow,
  { workspace_id, session_id, id, content, created_at }: MessageRow,
  more: { role: 'assistant' | 'operator' | 'system'; is_answer: boolean },
): Promise<void> {
  await emit(tx, 'message.sent', {
    workspaceId: workspace_id,
    tenantId: tenant_id,
    source: channel,
    data: {
      tenant_id,
      session_id,
      message_id: id,
      ...more,
      text: content,
      channel,
      sent_at: isoTime(created_at),
    },
  })
}

/** Stores a visitor's message and emits `message.received`. */
export async function receiveMessage(
  tx: Transaction,
  tenant: TenantRow,
  session: SessionRow,
  text: string,
  attachments?: readonly StoredAttachment[],
): Promise<{ message: MessageRow; session: SessionRow }> {
  const added = await addMessage(tx, session, {
    role: 'visitor',
    content: text,
    ...(attachments ? { attachments } : {}),
  })
  await emit(tx, 'message.received', {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    sector: tenant.sector,
    source: session.channel,
    data: {
      tenant_id: tenant.id,
      chatbot_id: tenant.chatbot_id,
      session_id: session.id,
      message_id: added.message.id,
      text,
      channel: session.channel,
      received_at: isoTime(added.message.created_at),
    },
  })
  return added
}

const MessageRef = z.object({ session_id: z.string(), sequence: z.number() })

/** Returns a reference to a stored message whose turn was refused or failed. */
export function refusedMessageRef(message: MessageRow): string {
  const { session_id, sequence } = message
  return JSON.stringify({ session_id, sequence } satisfies z.infer<typeof MessageRef>)
}

/** Returns the stored message of a retried request, so that the retry does not store it twice. */
export async function findRefusedMessage(
  tx: Transaction,
  caller: Caller,
  ref: string,
): Promise<{ session: SessionRow; message: MessageRow } | undefined> {
  const { session_id, sequence } = MessageRef.parse(JSON.parse(ref))
  const session = await findSession(tx.db, session_id)
  if (!session || session.workspace_id !== caller.workspaceId || session.state === 'closed') {
    return undefined
  }
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const [message] = await listMessages(tx.db, place, { limit: 1, after: sequence - 1 })
  return message && { session, message }
}

/** Returns the message as the history shows it. */
export function serializeMessage(row: MessageRow): HistoryMessage {
  return {
    message_id: row.id,
    session_id: row.session_id,
    role: row.role,
    content: row.content,
    citations: parseCitations(row.citations),
    attachments: parseAttachments(row.attachments),
    created_at: isoTime(row.created_at),
  }
}
