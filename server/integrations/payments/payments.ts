import type { z } from 'zod'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { addCreditsInTx, changeWorkspace } from '../../workspaces/workspaces.ts'
import { type DataOf, EVENTS } from '../../events/registry.ts'
import { emit } from '../../events.ts'
import { AppError } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import { PlanId } from '../../platform/auth/plans.ts'
import { CreditsOfPayment, ReportableEvent } from '../channels/generic.ts'
import type { NamedEvent } from '../channels/inbound-events.ts'
import type { Addon, Payment, PaymentEffect, PaymentReport } from '../channels/payment-effects.ts'
import { billedWorkspaces, channelOf } from '../integrations.ts'
import { endEvent } from '../inbound/inbound-message.ts'
import { type InboundRow, PAYMENT_MARK, insertInbound } from '../inbound/store.inbound.ts'
import type { IntegrationRow } from '../store.ts'
import { PermanentError } from '../errors.ts'

interface ClaimedEvent {
  integration: IntegrationRow
  event: InboundRow
}

/**
 * Handles a payment provider's event: emits its effects or, where the integration is allowed to
 * bill, applies them to credits and plans. Throws `PermanentError` for an event of an unknown shape.
 */
export async function handlePaymentEvent(
  ctx: Context,
  claimed: ClaimedEvent,
  stored: unknown,
): Promise<void> {
  const { at, effects } = interpret(claimed.integration, stored)
  const isBilling = mayBill(claimed)
  if (isBilling) for (const effect of effects) await applyToPlan(ctx, claimed.integration, effect)
  await transaction(ctx, async (tx) => {
    if (!(await endEvent(tx, claimed.event))) return
    for (const effect of effects) {
      if (effect.type === 'payment') await reportPayment(tx, claimed, { ...effect, at })
      else if (!isBilling) await reportSubscription(tx, claimed.integration, effect, at)
    }
  })
}

/**
 * Whether an event may change credits and plans: only one that arrived under the permission, because
 * the workspace could sign earlier ones.
 */
function mayBill({ integration, event }: ClaimedEvent): boolean {
  return integration.billing_at !== null && event.created_at >= integration.billing_at
}

/** Returns the workspace to bill. Throws `PermanentError` for one that the operator did not list. */
function billedWorkspace(integration: IntegrationRow, named: string | undefined): string {
  const workspaceId = named ?? integration.workspace_id
  if (billedWorkspaces(integration).includes(workspaceId)) return workspaceId
  throw new PermanentError('The operator has not listed this workspace for the integration.')
}

function interpret(integration: IntegrationRow, stored: unknown): PaymentReport {
  const { interpretPayment } = channelOf(integration)
  if (!interpretPayment) throw new PermanentError('This kind of integration reports no payments.')
  try {
    return interpretPayment(stored)
  } catch (cause) {
    throw new PermanentError('The event has a shape that is not known.', { cause })
  }
}

/** Handles an event of this service's own catalogue, whose data were validated on arrival. */
export async function handleNamedEvent(
  ctx: Context,
  { integration, event }: ClaimedEvent,
  { event: name, data, addon }: NamedEvent,
): Promise<void> {
  const report = REPORT[ReportableEvent.parse(name)]
  const credits = addon === null ? null : CreditsOfPayment.parse(addon)
  await transaction(ctx, async (tx) => {
    if (!(await endEvent(tx, event))) return
    if (credits && mayBill({ integration, event })) {
      const { ws_id: workspaceId, ...bought } = credits
      await addBought(tx, integration, { ...bought, workspaceId })
    }
    await report(tx, sourceOf(integration), data)
  })
}

type PaymentSource = ReturnType<typeof sourceOf>

function emitter<Name extends ReportableEvent>(name: Name, schema: z.ZodType<DataOf<Name>>) {
  return (tx: Transaction, source: PaymentSource, data: unknown): Promise<void> =>
    emit(tx, name, { ...source, data: schema.parse(data) })
}

/** Emits a program's event, by its name. */
const REPORT: Record<ReportableEvent, ReturnType<typeof emitter>> = {
  'payment.succeeded': emitter('payment.succeeded', EVENTS['payment.succeeded'].data),
  'payment.failed': emitter('payment.failed', EVENTS['payment.failed'].data),
  'subscription.plan_changed': emitter(
    'subscription.plan_changed',
    EVENTS['subscription.plan_changed'].data,
  ),
  'subscription.renewed': emitter('subscription.renewed', EVENTS['subscription.renewed'].data),
  'subscription.cancelled': emitter(
    'subscription.cancelled',
    EVENTS['subscription.cancelled'].data,
  ),
  'social.comment.received': emitter(
    'social.comment.received',
    EVENTS['social.comment.received'].data,
  ),
  'social.dm.received': emitter('social.dm.received', EVENTS['social.dm.received'].data),
  'social.post.published': emitter('social.post.published', EVENTS['social.post.published'].data),
}

function sourceOf({ workspace_id, tenant_id, kind }: IntegrationRow) {
  return { workspaceId: workspace_id, tenantId: tenant_id, source: kind }
}

/** Emits a payment. A successful one is emitted once, even where several events report it. */
async function reportPayment(
  tx: Transaction,
  { integration, event }: ClaimedEvent,
  { payment, addon, at }: { payment: Payment; addon: Addon | undefined; at: number },
): Promise<void> {
  if (addon && mayBill({ integration, event })) await addBought(tx, integration, addon)
  if (payment.outcome === 'succeeded' && !(await markReported(tx, event, payment))) return
  const data = {
    tenant_id: integration.tenant_id,
    provider: integration.kind,
    payment_id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    customer_email: payment.email,
  }
  const source = sourceOf(integration)
  if (payment.outcome === 'succeeded') {
    await emit(tx, 'payment.succeeded', { ...source, data: { ...data, paid_at: isoTime(at) } })
    return
  }
  const failed = { ...data, reason: payment.reason, failed_at: isoTime(at) }
  await emit(tx, 'payment.failed', { ...source, data: failed })
}

/** Marks a payment as reported in the table of unique events; false for one marked before. */
function markReported(tx: Transaction, event: InboundRow, { id }: Payment): Promise<boolean> {
  const rowId = newId('inb')
  return insertInbound(tx.db, {
    ...event,
    id: rowId,
    provider_event_id: `${PAYMENT_MARK}${id}`,
    payload: null,
    lane: '',
    state: 'done',
    lease_token: null,
    lease_until: null,
    error: null,
    ended_at: tx.now(),
  })
}

/** Adds credits to the workspace that the payment names, or to the integration's own. */
async function addBought(
  tx: Transaction,
  integration: IntegrationRow,
  { credits, reference, workspaceId }: Addon,
): Promise<void> {
  const billed = billedWorkspace(integration, workspaceId)
  await failIfMissing(() => addCreditsInTx(tx, billed, { credits, reference }))
}

/** Runs `work`; throws `PermanentError` for a missing workspace, which a retry would not find either. */
async function failIfMissing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') throw new PermanentError(error.message, { cause: error })
    // The plan already is as the event wants it.
    if (error.code !== 'conflict') throw error
  }
}

/** Changes the workspace's plan as the effect says; the change emits its own event. */
async function applyToPlan(
  ctx: Context,
  integration: IntegrationRow,
  effect: PaymentEffect,
): Promise<void> {
  if (effect.type === 'payment') return
  const workspaceId = billedWorkspace(integration, effect.workspaceId)
  if (effect.type === 'cancellation_revoked') {
    await failIfMissing(() => changeWorkspace(ctx, workspaceId, { cancelled: false }))
    return
  }
  if (effect.type === 'plan_changed') {
    const plan = PlanId.safeParse(effect.plan)
    if (!plan.success) throw new PermanentError(`There is no plan "${effect.plan.slice(0, 60)}".`)
    await failIfMissing(() => changeWorkspace(ctx, workspaceId, { plan: plan.data }))
    return
  }
  await failIfMissing(() =>
    changeWorkspace(ctx, workspaceId, effect.isEnded ? { plan: 'starter' } : { cancelled: true }),
  )
}

/** Emits a change of a customer's subscription, with the names of the seller's plans. */
async function reportSubscription(
  tx: Transaction,
  integration: IntegrationRow,
  effect: Exclude<PaymentEffect, { type: 'payment' }>,
  at: number,
): Promise<void> {
  const source = sourceOf(integration)
  if (effect.type === 'cancellation_revoked') return
  if (effect.type === 'plan_changed') {
    const data = {
      previous_plan: effect.before,
      plan: effect.plan,
      change: effect.isUpgrade ? ('upgrade' as const) : ('downgrade' as const),
      changed_at: isoTime(at),
    }
    await emit(tx, 'subscription.plan_changed', { ...source, data })
    return
  }
  if (effect.wasReported) return
  const data = { plan: effect.plan, ends_at: isoTime(effect.endsAt) }
  await emit(tx, 'subscription.cancelled', { ...source, data })
}
