import { z } from 'zod'
import type { Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId } from '../lib/ids.ts'
import { Citation, type HistoryMessage } from './schema.ts'
import { type MessageRow, type SessionRow, countMessage, insertMessage } from './store.ts'
import type { TenantRow } from './tenants.ts'

const StoredCitations = z.array(Citation)

interface NewMessage {
  role: MessageRow['role']
  content: string
  citations?: readonly Citation[]
}

/** Puts a message at the end of its conversation; answers it, and the session as it is then. */
export async function addMessage(
  tx: Transaction,
  session: SessionRow,
  message: NewMessage,
): Promise<{ message: MessageRow; session: SessionRow }> {
  const counted = await countMessage(tx.db, session.workspace_id, session.id, tx.now())
  if (!counted) throw new AppError('not_found', 'There is no such session.')
  const row: MessageRow = {
    id: newId('msg'),
    workspace_id: session.workspace_id,
    session_id: session.id,
    sequence: counted.message_count,
    role: message.role,
    content: message.content,
    citations: message.citations ? JSON.stringify(message.citations) : null,
    created_at: tx.now(),
  }
  await insertMessage(tx.db, row)
  return { message: row, session: counted }
}

/** Stores what a visitor wrote and announces it. */
export async function receiveMessage(
  tx: Transaction,
  tenant: TenantRow,
  session: SessionRow,
  text: string,
): Promise<{ message: MessageRow; session: SessionRow }> {
  const added = await addMessage(tx, session, { role: 'visitor', content: text })
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

/** A message as the history shows it. */
export function showMessage(row: MessageRow): HistoryMessage {
  return {
    message_id: row.id,
    session_id: row.session_id,
    role: row.role,
    content: row.content,
    citations: row.citations === null ? [] : StoredCitations.parse(JSON.parse(row.citations)),
    created_at: isoTime(row.created_at),
  }
}
