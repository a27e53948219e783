import { sql } from 'kysely'
import { type Context, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { recordEvent } from './session-events.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import { lockSession } from './store.feedback.ts'
import type { SessionRow } from './store.ts'

/**
 * Erases a conversation with all that was said, left and noted in it, and the answers that are kept
 * for a repeated request, and what webhooks would still tell of it. Operators' streams are told, and
 * the audit log where it is `actor` of the workspace who does it.
 */
export function eraseSession(ctx: Context, session: SessionRow, actor?: Actor): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { id, workspace_id, tenant_id } = session
    // First, while other tables still say that they are about it.
    if (!(await lockSession(tx.db, { workspaceId: workspace_id, sessionId: id }))) return
    await emit(tx, 'session.erased', { workspaceId: workspace_id, data: { session_id: id } })
    await tx.db
      .deleteFrom('sessions')
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', id)
      .execute()
    await sql`
      delete from identities where workspace_id = ${workspace_id}
        and visitor_id = ${session.visitor_id} and not exists (
          select 1 from sessions where sessions.visitor_id = identities.visitor_id)`.execute(tx.db)
    if (actor) await recordAudit(tx, workspace_id, { actor, action: 'session.erased' })
    const caller = session.visitor_id ?? session.user_id
    await sql`
      delete from idempotency where workspace_id = ${workspace_id} and caller = ${caller}
        and answer like ${`%${id}%`}`.execute(tx.db)
    recordEvent(
      tx,
      { workspace_id, id: null, event_count: 0 },
      { kind: 'removed', data: { session_id: id, tenant_id } },
    )
  })
}
