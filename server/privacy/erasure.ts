import { eraseSession } from '../chat/session/erasure.ts'
import { privacyOf } from '../tenants/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import {
  listTenantsWithRetention,
  listExpiredSessions,
  countVisitorSessions,
  listVisitorSessions,
  removeAppointments,
  deleteOrphanIdentities,
  erasePersonalData,
} from './store.ts'
import { DAY_MS } from '../lib/durations.ts'

const SESSIONS_AT_ONCE = 100

/**
 * Erases a visitor's data: sessions with their leads, appointments, feedback and pending deliveries,
 * stored answers, and ids in messaging apps. Idempotent: a second call completes an interrupted one.
 */
export async function eraseVisitor(
  ctx: Context,
  { workspaceId, visitorId }: { workspaceId: string; visitorId: string },
  actor: Actor,
): Promise<void> {
  const visitor = { workspaceId, visitorId }
  const page = { after: undefined, limit: SESSIONS_AT_ONCE }
  await transaction(ctx, async (tx) => {
    await erasePersonalData(tx.db, { workspaceId, visitorId, now: tx.now() })
    const sessions = await countVisitorSessions(tx.db, visitor)
    await recordAudit(tx, workspaceId, { actor, action: 'visitor.erased', details: { sessions } })
  })
  for (;;) {
    const sessions = await listVisitorSessions(ctx.db, visitor, page)
    for (const session of sessions) {
      await removeAppointments(ctx.db, session)
      await eraseSession(ctx, session)
    }
    if (sessions.length < SESSIONS_AT_ONCE) return
  }
}

/**
 * Erases the sessions whose retention has ended, with their past appointments. Idempotent, and safe
 * in several processes at once.
 */
export async function expireConversations(ctx: Context): Promise<void> {
  for (const tenant of await listTenantsWithRetention(ctx.db)) {
    const { retention_days: days, keep_leads: keepsLeads = false } = privacyOf(tenant)
    if (!days) continue
    const before = ctx.now() - days * DAY_MS
    const place = { workspaceId: tenant.workspace_id, tenantId: tenant.id }
    const wanted = { before, withLeads: !keepsLeads, limit: SESSIONS_AT_ONCE }
    for (;;) {
      const sessions = await listExpiredSessions(ctx.db, place, wanted)
      for (const session of sessions) {
        await removeAppointments(ctx.db, session, before)
        await eraseSession(ctx, session)
      }
      if (sessions.length < SESSIONS_AT_ONCE) break
    }
    await deleteOrphanIdentities(ctx.db, place, before)
  }
}
