import { type Context, type Transaction, transaction } from '../../context.ts'
import type { DataOf } from '../../events/registry.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import { addMessage, serializeMessage } from '../session/messages.ts'
import { officeStatusAt } from '../../tenants/office-hours.ts'
import type { Handoff } from '../schema.ts'
import { findStaffing } from './staffing.ts'
import { transition } from '../session/transitions.ts'
import { type MessageRow, type SessionRow, findSession } from '../session/store.ts'
import { type TenantRow, leadFormOf } from '../../tenants/tenants.ts'
import { chatStrings } from '../session/strings.ts'

type HandoffReason = DataOf<'handoff.requested'>['reason']

/** Number of consecutive answers below the threshold before a person is offered or requested. */
export const LOW_ANSWERS = 2

/** Result of a handoff request. `notice` is the message in the history outside office hours. */
export interface HandoffResult {
  session: SessionRow
  notice: MessageRow | undefined
  opensAt: number | undefined
}

/**
 * Requests a person: the session waits from then on, and the bot is silent. Idempotent while the
 * session waits or has an operator. Outside office hours, and with nobody online, a notice enters the
 * history and the bot continues; an operator may request at any time. Throws 409 for a tenant without operators and for
 * a closed session.
 */
export async function requestHandoffInTx(
  tx: Transaction,
  tenant: TenantRow,
  session: SessionRow,
  reason: HandoffReason,
): Promise<HandoffResult> {
  if (tenant.handoff === 'off') {
    throw new AppError('conflict', 'On this site nobody takes conversations over.')
  }
  const words = chatStrings(session.locale)
  const staffing = await findStaffing(tx, tenant)
  if (session.state === 'bot' && reason !== 'operator' && staffing.kind === 'closed') {
    const away = await addMessage(tx, session, {
      role: 'assistant',
      content: words.away,
      form: leadFormOf(tenant).enabled ? 'lead' : null,
    })
    return { session: away.session, notice: away.message, opensAt: staffing.opensAt }
  }
  const waiting = await transition(tx, session, {
    from: ['bot'],
    holder: { anyone: true },
    to: 'waiting',
    assignee: null,
    reason: 'requested',
    says: staffing.kind === 'online' ? words.waiting : words.notified,
  })
  if (!waiting)
    return { session: await assertOpen(tx, session), notice: undefined, opensAt: undefined }
  await emit(tx, 'handoff.requested', {
    workspaceId: tenant.workspace_id,
    tenantId: tenant.id,
    sector: tenant.sector,
    source: session.channel,
    data: {
      tenant_id: tenant.id,
      chatbot_id: tenant.chatbot_id,
      session_id: session.id,
      reason,
      confidence: session.last_confidence ?? 0,
      requested_at: isoTime(tx.now()),
    },
  })
  return { session: waiting, notice: undefined, opensAt: undefined }
}

async function assertOpen(tx: Transaction, session: SessionRow): Promise<SessionRow> {
  const current = await findSession(tx.db, session.id)
  if (!current) throw new AppError('not_found', 'This session does not exist.')
  if (current.state === 'closed') throw new AppError('conflict', 'This conversation is closed.')
  return current
}

/**
 * Runs `requestHandoffInTx` in a transaction of its own, for a visitor or a member of the
 * workspace.
 */
export async function requestHandoff(
  ctx: Context,
  caller: Caller,
  { tenant, session }: { tenant: TenantRow; session: SessionRow },
): Promise<Handoff> {
  const isOwn = caller.kind === 'visitor' || session.user_id === caller.id
  const outcome = await transaction(ctx, (tx) =>
    requestHandoffInTx(tx, tenant, session, isOwn ? 'visitor' : 'operator'),
  )
  const { notice, opensAt } = outcome
  return {
    session_id: session.id,
    state: outcome.session.state,
    available: notice === undefined,
    message: notice ? serializeMessage(notice) : null,
    form: notice && leadFormOf(tenant).enabled ? 'lead' : null,
    opens_at: opensAt === undefined ? null : isoTime(opensAt),
  }
}

/**
 * Returns the action after one of several consecutive answers below the threshold; `undefined` for
 * none.
 */
export function lowConfidenceAction(
  tenant: TenantRow,
  session: SessionRow,
  now: number,
): 'offer' | 'handoff' | undefined {
  if (session.low_answers + 1 < LOW_ANSWERS || tenant.handoff === 'off') return undefined
  if (!officeStatusAt(tenant, now).isOpen) return undefined
  return tenant.handoff === 'auto' ? 'handoff' : 'offer'
}
