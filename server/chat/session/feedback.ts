import { type Context, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Feedback, GiveFeedback } from '../schema.ts'
import { type FeedbackRow, findFeedback, findMessage, saveFeedback } from './store.feedback.ts'
import type { SessionRow } from './store.ts'
import { findTenant } from '../../tenants/tenants.ts'

/**
 * Saves the visitor's rating of a message or of the session; a later rating replaces it. Throws 404
 * for a message of another session.
 */
export function saveRating(
  ctx: Context,
  session: SessionRow,
  given: GiveFeedback,
): Promise<{ feedback: Feedback; isNew: boolean }> {
  return transaction(ctx, async (tx) => {
    const place = { workspaceId: session.workspace_id, sessionId: session.id }
    if (given.message_id !== undefined) {
      const message = await findMessage(tx.db, place, given.message_id)
      if (!message) throw new AppError('not_found', 'This message does not exist in this session.')
    }
    const row: FeedbackRow = {
      session_id: session.id,
      message_id: given.message_id ?? '',
      workspace_id: session.workspace_id,
      tenant_id: session.tenant_id,
      rating: given.rating,
      comment: given.comment || null,
      created_at: tx.now(),
      handled_at: null,
    }
    const before = await findFeedback(tx.db, place, row.message_id)
    await saveFeedback(tx.db, row)
    const feedback = serializeFeedback(row)
    const tenant = await findTenant(tx.db, session.tenant_id)
    if (!tenant) throw new AppError('not_found', 'The site of this session was removed.')
    await emit(tx, 'feedback.given', {
      workspaceId: session.workspace_id,
      tenantId: session.tenant_id,
      sector: tenant.sector,
      source: session.channel,
      data: {
        tenant_id: session.tenant_id,
        chatbot_id: tenant.chatbot_id,
        session_id: session.id,
        message_id: feedback.message_id,
        rating: row.rating,
        comment: row.comment,
        replaces: before ? { rating: before.rating, given_at: isoTime(before.created_at) } : null,
        given_at: feedback.created_at,
      },
    })
    return { feedback, isNew: before === undefined }
  })
}

export function serializeFeedback(row: FeedbackRow): Feedback {
  return {
    session_id: row.session_id,
    message_id: row.message_id || null,
    rating: row.rating,
    comment: row.comment,
    created_at: isoTime(row.created_at),
  }
}
