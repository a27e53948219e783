import { addMessage } from '../chat/session/messages.ts'
import { recordEvent } from '../chat/session/session-events.ts'
import { claimInTx, toPerson } from '../chat/session/transitions.ts'
import type { MessageRow, SessionRow } from '../chat/session/store.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { newId } from '../lib/ids.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { type RequestKey, claimRequest, storeResponse } from '../platform/idempotency.ts'
import { findTenant } from '../tenants/tenants.ts'
import { serializeInboxMessage, serializeNote } from './conversations.ts'
import type { InboxMessage, Note } from './schema.ts'
import { type NoteRow, countNote, insertNote } from './store.ts'

/**
 * Sends an operator's message to the visitor, and assigns an unassigned session to the operator.
 * Throws 409 when another operator has it, it is closed, or a request with this key runs.
 */
export function writeMessage(
  ctx: Context,
  caller: UserCaller,
  { session, text, key }: { session: SessionRow; text: string; key: RequestKey | undefined },
): Promise<InboxMessage> {
  return transaction(ctx, async (tx) => {
    if (key) await claimRequest(tx, key)
    const claimed = await claimInTx(tx, caller, session)
    const author = await toPerson(tx, caller, session)
    const { message } = await addMessage(tx, claimed, { role: 'operator', content: text, author })
    await emitOperatorMessage(tx, claimed, message)
    const sent = serializeInboxMessage({ ...message, author_name: author.name })
    if (key) await storeResponse(tx, key, JSON.stringify(sent))
    return sent
  })
}

/** Adds a note for operators; visitors never see it. Throws 404 for an erased session. */
export function writeNote(
  ctx: Context,
  caller: UserCaller,
  { session, text }: { session: SessionRow; text: string },
): Promise<Note> {
  return transaction(ctx, async (tx) => {
    const author = await toPerson(tx, caller, session)
    const counted = await countNote(tx.db, {
      workspaceId: session.workspace_id,
      sessionId: session.id,
    })
    if (!counted) throw new AppError('not_found', 'This session does not exist.')
    const row: NoteRow = {
      id: newId('note'),
      workspace_id: session.workspace_id,
      session_id: session.id,
      author_id: author.user_id,
      text,
      created_at: tx.now(),
      author_name: author.name,
    }
    const { author_name: _, ...stored } = row
    await insertNote(tx.db, stored)
    recordEvent(tx, counted, { kind: 'note', noteId: row.id, data: { author } })
    return serializeNote(row)
  })
}

async function emitOperatorMessage(
  tx: Transaction,
  { workspace_id: workspaceId, tenant_id, id: session_id, channel }: SessionRow,
  { id, content, author_id, created_at }: MessageRow,
): Promise<void> {
  const tenant = await findTenant(tx.db, tenant_id)
  if (!tenant || author_id === null) return
  await emit(tx, 'operator.message', {
    workspaceId,
    tenantId: tenant_id,
    sector: tenant.sector,
    source: channel,
    data: {
      tenant_id,
      chatbot_id: tenant.chatbot_id,
      session_id,
      message_id: id,
      user_id: author_id,
      text: content,
      channel,
      sent_at: isoTime(created_at),
    },
  })
}
