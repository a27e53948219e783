import type { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { addCreditsWithin, changeWorkspace } from '../credits/workspaces.ts'
import { type DataOf, EventData, emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pages.ts'
import { newId } from '../lib/ids.ts'
import { PlanId } from '../platform/plans.ts'
import { CreditsOfPayment, ToldEvent } from './channels/generic.ts'
import { type Addon, type Meaning, type Payment, meaningsOf } from './channels/stripe.ts'
import { endEvent } from './conversations.ts'
import { type InboundRow, PAID, insertInbound } from './store.inbound.ts'
import type { IntegrationRow } from './store.ts'
import { PermanentError } from './errors.ts'

interface Place {
  integration: IntegrationRow
  event: InboundRow
}

/** What an event of Stripe causes: events for the workspace, or, where it bills, credits and plans. */
export async function takeStripe(ctx: Context, place: Place, stored: unknown): Promise<void> {
  const { at, meanings } = readMeanings(stored)
  const isBilling = place.integration.billing_at !== null
  if (isBilling) for (const meaning of meanings) await bill(ctx, place.integration, meaning)
  await transaction(ctx, async (tx) => {
    if (!(await endEvent(tx, place.event))) return
    for (const meaning of meanings) {
      if (meaning.type === 'payment') await takePayment(tx, place, { ...meaning, at })
      else if (!isBilling) await tellSubscription(tx, place.integration, meaning, at)
    }
  })
}

function readMeanings(stored: unknown): ReturnType<typeof meaningsOf> {
  try {
    return meaningsOf(stored)
  } catch (cause) {
    throw new PermanentError('The event has a shape that is not known.', { cause })
  }
}

/** What a program told, in the shape that it was judged for when it came. */
export async function takeGeneric(
  ctx: Context,
  { integration, event }: Place,
  { name, told, addon }: { name: string; told: unknown; addon: unknown },
): Promise<void> {
  const tell = TELL[ToldEvent.parse(name)]
  const credits = addon === null ? null : CreditsOfPayment.parse(addon)
  await transaction(ctx, async (tx) => {
    if (!(await endEvent(tx, event))) return
    if (credits && integration.billing_at !== null) {
      const { ws_id: workspaceId, ...bought } = credits
      await addBought(tx, integration, { ...bought, workspaceId })
    }
    await tell(tx, sourceOf(integration), told)
  })
}

type Source = ReturnType<typeof sourceOf>

function telling<Name extends ToldEvent>(name: Name, schema: z.ZodType<DataOf<Name>>) {
  return (tx: Transaction, source: Source, told: unknown): Promise<void> =>
    emit(tx, name, { ...source, data: schema.parse(told) })
}

/** Announces what a program may tell of, each by its name. */
const TELL: Record<ToldEvent, ReturnType<typeof telling>> = {
  'payment.succeeded': telling('payment.succeeded', EventData['payment.succeeded']),
  'payment.failed': telling('payment.failed', EventData['payment.failed']),
  'subscription.plan_changed': telling(
    'subscription.plan_changed',
    EventData['subscription.plan_changed'],
  ),
  'subscription.renewed': telling('subscription.renewed', EventData['subscription.renewed']),
  'subscription.cancelled': telling('subscription.cancelled', EventData['subscription.cancelled']),
  'social.comment.received': telling(
    'social.comment.received',
    EventData['social.comment.received'],
  ),
  'social.dm.received': telling('social.dm.received', EventData['social.dm.received']),
  'social.post.published': telling('social.post.published', EventData['social.post.published']),
}

function sourceOf({ workspace_id, tenant_id, kind }: IntegrationRow) {
  return { workspaceId: workspace_id, tenantId: tenant_id, source: kind }
}

/** A payment that succeeded is told once, however many events speak of it; credits are added once. */
async function takePayment(
  tx: Transaction,
  { integration, event }: Place,
  { payment, addon, at }: { payment: Payment; addon: Addon | undefined; at: number },
): Promise<void> {
  if (addon && integration.billing_at !== null) await addBought(tx, integration, addon)
  if (payment.outcome === 'succeeded' && !(await isFirst(tx, event, payment))) return
  const data = {
    tenant_id: integration.tenant_id,
    provider: 'stripe',
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

/** Takes note of a payment in the table that knows each thing once. */
function isFirst(tx: Transaction, event: InboundRow, { id }: Payment): Promise<boolean> {
  const rowId = newId('inb')
  return insertInbound(tx.db, {
    ...event,
    id: rowId,
    provider_event_id: `${PAID}${id}`,
    payload: null,
    lane: '',
    state: 'done',
    lease_token: null,
    lease_until: null,
    error: null,
    ended_at: tx.now(),
  })
}

/** Bought for a workspace that the payment names, or for the integration's own. */
async function addBought(
  tx: Transaction,
  integration: IntegrationRow,
  { credits, reference, workspaceId }: Addon,
): Promise<void> {
  await known(() =>
    addCreditsWithin(tx, workspaceId ?? integration.workspace_id, { credits, reference }),
  )
}

/** A workspace that is not there is nothing that waiting would help. */
async function known(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') throw new PermanentError(error.message, { cause: error })
    // Nothing to cancel: it is as it should be.
    if (error.code !== 'conflict') throw error
  }
}

/** Moves a workspace to the plan that was paid for; the change announces itself. */
async function bill(ctx: Context, integration: IntegrationRow, meaning: Meaning): Promise<void> {
  if (meaning.type === 'payment') return
  const workspaceId = meaning.workspaceId ?? integration.workspace_id
  if (meaning.type === 'kept') {
    await known(() => changeWorkspace(ctx, workspaceId, { cancelled: false }))
    return
  }
  if (meaning.type === 'plan') {
    const plan = PlanId.safeParse(meaning.plan)
    if (!plan.success) throw new PermanentError(`There is no plan "${meaning.plan.slice(0, 60)}".`)
    await known(() => changeWorkspace(ctx, workspaceId, { plan: plan.data }))
    return
  }
  await known(() =>
    changeWorkspace(ctx, workspaceId, meaning.isOver ? { plan: 'starter' } : { cancelled: true }),
  )
}

/** What a workspace's own customers do with their subscriptions, by the names of its own plans. */
async function tellSubscription(
  tx: Transaction,
  integration: IntegrationRow,
  meaning: Exclude<Meaning, { type: 'payment' }>,
  at: number,
): Promise<void> {
  const source = sourceOf(integration)
  if (meaning.type === 'kept') return
  if (meaning.type === 'plan') {
    const data = {
      previous_plan: meaning.before,
      plan: meaning.plan,
      change: meaning.isUp ? ('upgrade' as const) : ('downgrade' as const),
      changed_at: isoTime(at),
    }
    await emit(tx, 'subscription.plan_changed', { ...source, data })
    return
  }
  if (meaning.wasTold) return
  const data = { plan: meaning.plan, ends_at: isoTime(meaning.endsAt) }
  await emit(tx, 'subscription.cancelled', { ...source, data })
}
