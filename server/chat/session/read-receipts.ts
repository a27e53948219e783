import { type Context, transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { LiveTyping, Person, WorkspaceTyping } from '../../live/schema.ts'
import { recordEvent } from './session-events.ts'
import { findLastMessage, findMessage } from './store.feedback.ts'
import { markRead } from './store.states.ts'
import { type SessionRow, findSession } from './store.ts'

/**
 * Marks all messages up to one as read, up to the last when none is named, and notifies the other
 * side. Idempotent; a receipt never moves back. Throws 404 for a message of another session.
 */
export function markReadUpTo(
  ctx: Context,
  session: SessionRow,
  mark: { reader: 'visitor' | 'operator'; messageId: string | undefined },
): Promise<SessionRow> {
  return transaction(ctx, async (tx) => {
    const place = { workspaceId: session.workspace_id, sessionId: session.id }
    const { reader, messageId } = mark
    const message =
      messageId === undefined
        ? await findLastMessage(tx.db, place)
        : await findMessage(tx.db, place, messageId)
    if (!message && messageId !== undefined) {
      throw new AppError('not_found', 'This message does not exist in this session.')
    }
    const marked = message && (await markRead(tx.db, place, { reader, sequence: message.sequence }))
    if (!marked) return (await findSession(tx.db, session.id)) ?? session
    const read = { reader, message_id: message.id, read_at: isoTime(tx.now()) }
    recordEvent(tx, marked, { kind: 'read', data: { ...read, unread: marked.unread } })
    return marked
  })
}

/** Broadcasts the typing indicator to the other side. The indicator is not stored. */
export function broadcastTyping(
  ctx: Context,
  session: SessionRow,
  { operator, isTyping }: { operator: Person | undefined; isTyping: boolean },
): void {
  const typing: LiveTyping = {
    session_id: session.id,
    role: operator ? 'operator' : 'visitor',
    is_typing: isTyping,
    name: operator?.name ?? null,
  }
  const forWorkspace: WorkspaceTyping = {
    ...typing,
    tenant_id: session.tenant_id,
    user_id: operator?.user_id ?? null,
  }
  ctx.live.broadcast({
    place: { workspaceId: session.workspace_id, sessionId: session.id },
    name: 'typing',
    forSession: typing,
    forWorkspace,
  })
}
