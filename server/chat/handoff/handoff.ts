import { type Context, type Transaction, transaction } from '../../context.ts'
import type { DataOf } from '../../events/registry.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Caller } from '../../platform/auth/authenticator.ts'
import { addMessage, serializeMessage } from '../session/messages.ts'
import { officeStatusAt } from '../../tenants/office-hours.ts'
import type { Handoff } from '../schema.ts'
import { transition } from '../session/transitions.ts'
import { type MessageRow, type SessionRow, findSession } from '../session/store.ts'
import { type TenantRow, leadFormOf } from '../../tenants/tenants.ts'
import { chatStrings } from '../session/strings.ts'

type HandoffReason = DataOf<'handoff.requested'>['reason']

/** After so many answers in a row below the threshold a person is offered, or asked. */
export const LOW_ANSWERS = 2

/** What came of asking for a person. `notice` is what the history says when nobody is there. */
export interface HandoffResult {
  session: SessionRow
  notice: MessageRow | undefined
  opensAt: number | undefined
}

/**
 * Asks for a person: the conversation waits from then on, and the bot is silent. Asked again while
 * it waits or somebody has it, nothing more happens. Outside office hours the history says so and
 * the bot goes on; an operator may ask at any time. Throws 409 for a tenant without operators and
 * for a closed conversation.
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
  const office = officeStatusAt(tenant, tx.now())
  if (session.state === 'bot' && reason !== 'operator' && !office.isOpen) {
    const away = await addMessage(tx, session, {
      role: 'assistant',
      content: words.away,
      form: leadFormOf(tenant).enabled ? 'lead' : null,
    })
    return { session: away.session, notice: away.message, opensAt: office.opensAt }
  }
  const waiting = await transition(tx, session, {
    from: ['bot'],
    holder: { anyone: true },
    to: 'waiting',
    assignee: null,
    reason: 'requested',
    says: words.waiting,
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
  if (!current) throw new AppError('not_found', 'There is no such session.')
  if (current.state === 'closed') throw new AppError('conflict', 'This conversation is closed.')
  return current
}

/** The same as a request of its own, by the visitor or by a member of the workspace. */
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

/** What an answer below the threshold leads to when it is one of several in a row. */
export function lowConfidenceAction(
  tenant: TenantRow,
  session: SessionRow,
  now: number,
): 'offer' | 'handoff' | undefined {
  if (session.low_answers + 1 < LOW_ANSWERS || tenant.handoff === 'off') return undefined
  if (!officeStatusAt(tenant, now).isOpen) return undefined
  return tenant.handoff === 'auto' ? 'handoff' : 'offer'
}
