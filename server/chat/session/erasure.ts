import { sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { type EventEnvelope, emit } from '../../events.ts'
import { recordEvent } from './session-events.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import { lockSession } from './store.feedback.ts'
import type { SessionRow } from './store.ts'

/**
 * Erases a session with its messages, notes and leads, the stored responses to its visitor, and its
 * part of pending webhooks. Operators' streams receive an event, and the audit log an entry when a
 * member of the workspace, `actor`, erases it. Idempotent.
 */
export function eraseSession(ctx: Context, session: SessionRow, actor?: Actor): Promise<void> {
  return transaction(ctx, async (tx) => {
    const { id, workspace_id, tenant_id } = session
    // First, while the rows of other tables still refer to the session.
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

/**
 * Deletes the sessions of a site that is removed, with the stored responses to its visitors, and
 * emits `sessions.removed`. The event comes after the sessions are deleted, when other transactions
 * can add messages to none of them.
 */
export async function removeTenantSessions(
  tx: Transaction,
  _event: 'tenant.removed',
  { workspaceId, data }: EventEnvelope<'tenant.removed'>,
): Promise<void> {
  const { tenant_id: tenantId } = data
  await sql`
    delete from idempotency where workspace_id = ${workspaceId} and caller in (
      select visitor_id from sessions
      where workspace_id = ${workspaceId} and tenant_id = ${tenantId})`.execute(tx.db)
  const { rows } = await sql<{ id: string }>`
    delete from sessions where workspace_id = ${workspaceId} and tenant_id = ${tenantId}
    returning id`.execute(tx.db)
  const ids = rows.map(({ id }) => id)
  await emit(tx, 'sessions.removed', {
    workspaceId,
    data: { tenant_id: tenantId, session_ids: ids },
  })
}
