import { type Context, type Transaction, sharedRead, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Person, StateReason } from '../../live/schema.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import { addMessage } from './messages.ts'
import { findMemberName } from '../../platform/members/store.ts'
import { findOperator } from './operators.ts'
import { recordEvent } from './session-events.ts'
import { type AssigneeGuard, listOperatorSessions, moveSession } from './store.states.ts'
import { type SessionRow, findSession } from './store.ts'
import { chatStrings } from './strings.ts'
import { findTenant } from '../../tenants/tenants.ts'

/** A state transition of a session, and the system message that records it. */
interface SessionTransition {
  from: readonly SessionRow['state'][]
  holder: AssigneeGuard
  to: SessionRow['state']
  assignee: Person | null
  reason: StateReason
  says: string
  /** The form below the system message. */
  form?: 'lead'
  /** Refuses the transition once another message was written. */
  messageCount?: number
}

/** The visitor's sessions that a new one ends. A transition in the transaction makes it read again. */
export const readOperatorSessions = sharedRead(
  (tx, workspaceId: string, tenantId: string, visitorId: string) =>
    listOperatorSessions(tx.db, { workspaceId, tenantId, visitorId }),
)

/**
 * Runs a transition, with its system message and events; returns `undefined` when the session's
 * state or assignee does not permit it.
 */
export async function transition(
  tx: Transaction,
  session: SessionRow,
  { from, holder, to, assignee, reason, says, form, messageCount }: SessionTransition,
): Promise<SessionRow | undefined> {
  const moved = await moveSession(
    tx.db,
    { workspaceId: session.workspace_id, sessionId: session.id },
    { from, holder, messageCount, to, assigneeId: assignee?.user_id ?? null, now: tx.now() },
  )
  if (!moved) return undefined
  const { workspace_id: workspaceId, tenant_id: tenantId, visitor_id: visitorId } = moved
  if (visitorId !== null) readOperatorSessions.forget(tx, workspaceId, tenantId, visitorId)
  recordEvent(tx, moved, { kind: 'state', data: { state: to, assignee, reason } })
  await emit(tx, 'session.changed', {
    workspaceId: moved.workspace_id,
    tenantId: moved.tenant_id,
    source: moved.channel,
    data: {
      tenant_id: moved.tenant_id,
      session_id: moved.id,
      previous_state: session.state,
      state: to,
      reason,
      user_id: assignee?.user_id ?? null,
      changed_at: isoTime(tx.now()),
    },
  })
  if (to === 'closed') await emitClosed(tx, moved)
  const added = await addMessage(tx, moved, { role: 'system', content: says, form: form ?? null })
  return added.session
}

async function emitClosed(tx: Transaction, session: SessionRow): Promise<void> {
  const { workspace_id: workspaceId, tenant_id, id, channel } = session
  const tenant = await findTenant(tx.db, tenant_id)
  if (!tenant) return
  await emit(tx, 'session.closed', {
    workspaceId,
    tenantId: tenant_id,
    sector: tenant.sector,
    source: channel,
    data: {
      tenant_id,
      chatbot_id: tenant.chatbot_id,
      session_id: id,
      channel,
      closed_at: isoTime(tx.now()),
    },
  })
}

/** Assigns the session to an operator. Throws 409 when another operator has it, or it is closed. */
export function claimSession(
  ctx: Context,
  caller: UserCaller,
  session: SessionRow,
): Promise<SessionRow> {
  return transaction(ctx, (tx) => claimInTx(tx, caller, session))
}

/** Runs `claimSession` inside a transaction. Idempotent for the operator who has the session. */
export async function claimInTx(
  tx: Transaction,
  caller: UserCaller,
  session: SessionRow,
): Promise<SessionRow> {
  const person = await toPerson(tx, caller, session)
  const claimed = await transition(tx, session, {
    from: ['bot', 'waiting', 'operator'],
    holder: { nobody: true },
    to: 'operator',
    assignee: person,
    reason: 'claimed',
    says: chatStrings(session.locale).joined(person.name),
  })
  if (claimed) return claimed
  const current = await findSession(tx.db, session.id)
  if (current?.state === 'operator' && current.assignee_id === caller.id) return current
  throw await assignedElsewhere(tx, current)
}

/**
 * Assigns the session to a member, or to nobody: it waits again then. Idempotent. Throws 409 when
 * another operator has it and the caller is no owner or admin, or when it is closed.
 */
export function assignSession(
  ctx: Context,
  caller: UserCaller,
  { session, to }: { session: SessionRow; to: Person | null },
): Promise<SessionRow> {
  return transaction(ctx, async (tx) => {
    const words = chatStrings(session.locale)
    const current = await findSession(tx.db, session.id)
    if (current && isAssignedTo(current, to)) return current
    const moved = await transition(tx, session, {
      from: to ? ['bot', 'waiting', 'operator'] : ['operator'],
      holder: assigneeGuard(caller),
      to: to ? 'operator' : 'waiting',
      assignee: to,
      reason: 'assigned',
      says: to ? words.joined(to.name) : words.waitingAgain,
    })
    if (moved) return moved
    throw await assignedElsewhere(tx, await findSession(tx.db, session.id))
  })
}

function isAssignedTo({ state, assignee_id }: SessionRow, person: Person | null): boolean {
  return person ? state === 'operator' && assignee_id === person.user_id : state !== 'operator'
}

/**
 * Returns a session to the bot or to the queue; a closed session reopens. Throws 409 when another
 * operator has it; owners and admins may release it all the same.
 */
export function releaseSession(
  ctx: Context,
  caller: UserCaller,
  { session, to }: { session: SessionRow; to: 'bot' | 'waiting' },
): Promise<SessionRow> {
  return transaction(ctx, async (tx) => {
    const words = chatStrings(session.locale)
    const isClosed = session.state === 'closed'
    const others = ['waiting', 'operator', 'closed'] as const
    const moved = await transition(tx, session, {
      from: to === 'waiting' ? ['bot', ...others.slice(1)] : others,
      holder: assigneeGuard(caller),
      to,
      assignee: null,
      reason: isClosed ? 'reopened' : 'released',
      says: isClosed ? words.reopened : to === 'bot' ? words.left : words.waitingAgain,
    })
    return moved ?? explainRefusal(tx, session, to)
  })
}

/**
 * Closes a session. Throws 409 when another operator has it, unless the caller is an owner or
 * admin.
 */
export function closeSession(
  ctx: Context,
  caller: UserCaller,
  session: SessionRow,
): Promise<SessionRow> {
  return transaction(ctx, async (tx) => {
    const moved = await transition(tx, session, {
      from: ['bot', 'waiting', 'operator'],
      holder: assigneeGuard(caller),
      to: 'closed',
      assignee: null,
      reason: 'closed',
      says: chatStrings(session.locale).closed,
    })
    return moved ?? explainRefusal(tx, session, 'closed')
  })
}

function assigneeGuard(caller: UserCaller): AssigneeGuard {
  return caller.role === 'operator' ? { nobodyBut: caller.id } : { anyone: true }
}

/** Returns the session when it is in the target state already. Throws 409 otherwise. */
async function explainRefusal(
  tx: Transaction,
  session: SessionRow,
  to: SessionRow['state'],
): Promise<SessionRow> {
  const current = await findSession(tx.db, session.id)
  if (current?.state === to) return current
  throw await assignedElsewhere(tx, current)
}

async function assignedElsewhere(
  tx: Transaction,
  session: SessionRow | undefined,
): Promise<AppError> {
  if (!session) return new AppError('not_found', 'This session does not exist.')
  if (session.state === 'closed') {
    return new AppError('conflict', 'This conversation is closed. Release it to continue.')
  }
  const person = await findMemberName(tx.db, session.workspace_id, session.assignee_id)
  return new AppError('conflict', `${person?.name ?? 'Somebody else'} has this conversation.`)
}

/** Returns the caller as visitors of the session see one; a key acts as its user. Throws 404 for a removed member. */
export async function toPerson(
  tx: Context | Transaction,
  caller: UserCaller,
  session: SessionRow,
): Promise<Person> {
  const person = await findOperator(tx, session, caller.id)
  if (!person) throw new AppError('not_found', 'You are no longer a member of this workspace.')
  return person
}
