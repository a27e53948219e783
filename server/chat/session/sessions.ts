import type { Context, Transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import type { Session } from '../schema.ts'
import { recordEvent } from './session-events.ts'
import { readOperatorSessions, transition } from './transitions.ts'
import { type SessionRow, afterVisitorMessage, findSession, insertSession } from './store.ts'
import { type TenantRow, findTenant, isEnabled } from '../../tenants/tenants.ts'
import { chatStrings } from './strings.ts'

/**
 * Returns the tenant that a caller may talk to. Throws 404 for an unknown one, and 403 for another
 * workspace's, for one that is not the visitor's, and for one that is switched off.
 */
export async function openTenant(
  ctx: Context,
  caller: Caller,
  tenantId: string,
): Promise<TenantRow> {
  const tenant = await findTenant(ctx.db, tenantId)
  assertOwned(tenant?.workspace_id, caller.workspaceId, 'tenant')
  if (!tenant) throw new AppError('not_found', 'This tenant does not exist.')
  if (caller.kind === 'visitor' && caller.tenantId !== tenant.id) {
    throw new AppError('forbidden', 'This visitor token belongs to another site.')
  }
  if (tenant.disabled_at !== null || (caller.kind === 'visitor' && !isEnabled(tenant, 'widget'))) {
    throw new AppError('forbidden', 'The chat of this site is switched off.')
  }
  return tenant
}

/**
 * Returns a session that the caller may read and write. Throws 404 for an unknown session and, with
 * the same sentence, for another visitor's. A key without `chat:manage` has its own sessions only.
 */
export async function openSession(
  ctx: Context | Transaction,
  caller: Caller,
  sessionId: string,
): Promise<SessionRow> {
  const session = await findSession(ctx.db, sessionId)
  if (!session) throw new AppError('not_found', 'This session does not exist.')
  assertMayUse(caller, session)
  return session
}

/** Throws 404, or 403 for another workspace's, for a session that the caller may not read. */
export function assertMayUse(caller: Caller, session: SessionRow): void {
  if (caller.kind === 'visitor') {
    if (session.visitor_id !== caller.id || session.tenant_id !== caller.tenantId) {
      throw new AppError('not_found', 'This session does not exist.')
    }
    return
  }
  assertOwned(session.workspace_id, caller.workspaceId, 'session')
  const isManager = caller.scopes === undefined || caller.scopes.includes('chat:manage')
  if (!isManager && session.user_id !== caller.id) {
    throw new AppError('not_found', 'This session does not exist.')
  }
}

/**
 * Starts a session and emits `session.started`. Closes the visitor's sessions that still occupy an
 * operator.
 */
export async function startSession(
  tx: Transaction,
  tenant: TenantRow,
  start: {
    caller: Caller
    locale?: string | undefined
    pageUrl?: string | undefined
    /** The visitor's messaging app; left out for the widget and the API. */
    channel?: string | undefined
    /** The visitor's first message follows: the row is stored as it is after the message. */
    hasMessage?: boolean
  },
): Promise<SessionRow> {
  const now = tx.now()
  const { caller } = start
  if (caller.kind === 'visitor') await closeOtherSessions(tx, tenant, caller.id)
  const session: SessionRow = {
    id: newId('ses'),
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    visitor_id: caller.kind === 'visitor' ? caller.id : null,
    user_id: caller.kind === 'visitor' ? null : caller.id,
    state: 'bot',
    channel: start.channel ?? (caller.kind === 'visitor' ? 'widget' : 'api'),
    locale: start.locale ?? tenant.locale,
    page_url: start.pageUrl ?? null,
    message_count: 0,
    event_count: 1,
    assignee_id: null,
    unread: 0,
    operator_read: 0,
    visitor_read: 0,
    low_answers: 0,
    last_confidence: null,
    waiting_since: null,
    waiting_alerted_at: null,
    snoozed_until: null,
    created_at: now,
    updated_at: now,
  }
  await insertSession(tx.db, start.hasMessage ? afterVisitorMessage(session, now) : session)
  recordEvent(tx, session, { kind: 'session', data: {} })
  await emit(tx, 'session.started', {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    sector: tenant.sector,
    source: session.channel,
    data: {
      tenant_id: tenant.id,
      chatbot_id: tenant.chatbot_id,
      session_id: session.id,
      channel: session.channel,
      locale: session.locale,
      page_url: session.page_url,
      started_at: isoTime(now),
    },
  })
  return session
}

/** Closes the visitor's other waiting and attended sessions: a new session ends them. */
async function closeOtherSessions(
  tx: Transaction,
  tenant: TenantRow,
  visitorId: string,
): Promise<void> {
  const place = [tenant.workspace_id, tenant.id, visitorId] as const
  const sessions = await readOperatorSessions(tx, ...place)
  for (const session of sessions) {
    await transition(tx, session, {
      from: ['waiting', 'operator'],
      holder: { anyone: true },
      to: 'closed',
      assignee: null,
      reason: 'closed',
      says: chatStrings(session.locale).closed,
    })
  }
}

/** Returns the session as its visitor sees it. */
export function serializeSession(row: SessionRow): Session {
  return {
    session_id: row.id,
    tenant_id: row.tenant_id,
    state: row.state,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
