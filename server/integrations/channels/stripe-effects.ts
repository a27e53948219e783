import { z } from 'zod'
import type { Payment, PaymentEffect, PaymentReport } from './payment-effects.ts'

const Metadata = z.record(z.string(), z.string()).nullish()
const Seconds = z.int().min(0).max(100_000_000_000)

/** An event of Stripe (docs.stripe.com/api/events). */
const StripeEvent = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().max(100),
  created: Seconds,
  data: z.looseObject({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: z.record(z.string(), z.unknown()).nullish(),
  }),
})
type StripeEvent = z.infer<typeof StripeEvent>

const Checkout = z.looseObject({
  id: z.string(),
  payment_intent: z.string().nullish(),
  payment_status: z.string(),
  mode: z.string().optional(),
  invoice: z.string().nullish(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  customer_email: z.string().nullish(),
  customer_details: z.looseObject({ email: z.string().nullish() }).nullish(),
  client_reference_id: z.string().nullish(),
  metadata: Metadata,
})
const Intent = z.looseObject({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  invoice: z.string().nullish(),
  receipt_email: z.string().nullish(),
  last_payment_error: z
    .looseObject({ code: z.string().nullish(), decline_code: z.string().nullish() })
    .nullish(),
})
const Invoice = z.looseObject({
  id: z.string(),
  payment_intent: z.string().nullish(),
  amount_paid: z.int(),
  amount_due: z.int(),
  currency: z.string(),
  customer_email: z.string().nullish(),
})
const Price = z.looseObject({
  id: z.string(),
  lookup_key: z.string().nullish(),
  nickname: z.string().nullish(),
  unit_amount: z.int().nullish(),
  metadata: Metadata,
})
const Items = z.looseObject({
  data: z.array(z.looseObject({ price: Price, current_period_end: Seconds.nullish() })).min(1),
})
const Subscription = z.looseObject({
  id: z.string(),
  items: Items,
  cancel_at_period_end: z.boolean().optional(),
  cancel_at: Seconds.nullish(),
  ended_at: Seconds.nullish(),
  current_period_end: Seconds.nullish(),
  metadata: Metadata,
})

/** The time and the effects of an event of Stripe. Throws ZodError for one of another shape. */
export function interpretStripe(stored: unknown): PaymentReport {
  const event = StripeEvent.parse(stored)
  return { at: event.created * 1_000, effects: interpret(event) }
}

function interpret(event: StripeEvent): PaymentEffect[] {
  const { object } = event.data
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return checkoutEffects(Checkout.parse(object))
    case 'checkout.session.async_payment_failed':
      return failedCheckoutEffects(Checkout.parse(object))
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
      return intentEffects(Intent.parse(object), event.type === 'payment_intent.succeeded')
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
    case 'invoice.payment_failed':
      return invoiceEffects(Invoice.parse(object), event.type !== 'invoice.payment_failed')
    case 'customer.subscription.updated':
      return changeEffects(event, Subscription.parse(object))
    case 'customer.subscription.deleted':
      return endEffects(event, Subscription.parse(object))
    default:
      return []
  }
}

/** A subscription's payment is reported by its invoice instead. */
function checkoutEffects(checkout: z.infer<typeof Checkout>): PaymentEffect[] {
  if (checkout.payment_status !== 'paid' || checkout.invoice) return []
  return [
    {
      type: 'payment',
      payment: checkoutPayment(checkout, 'succeeded'),
      addon: parseAddon(checkout),
    },
  ]
}

function failedCheckoutEffects(checkout: z.infer<typeof Checkout>): PaymentEffect[] {
  return [{ type: 'payment', payment: checkoutPayment(checkout, 'failed'), addon: undefined }]
}

function checkoutPayment(checkout: z.infer<typeof Checkout>, outcome: Payment['outcome']): Payment {
  return {
    outcome,
    id: checkout.payment_intent ?? checkout.id,
    amount: checkout.amount_total ?? 0,
    currency: (checkout.currency ?? '').toUpperCase(),
    email: checkout.customer_details?.email ?? checkout.customer_email ?? null,
    reason: 'payment_failed',
  }
}

/** `metadata.credits` of a checkout; `metadata.reference`, or the checkout itself, counts once. */
function parseAddon({ id, metadata, client_reference_id }: z.infer<typeof Checkout>) {
  const credits = Number(metadata?.credits)
  if (!Number.isSafeInteger(credits) || credits < 1) return undefined
  const workspaceId = metadata?.ws_id ?? client_reference_id ?? undefined
  return {
    credits,
    reference: metadata?.reference ?? id,
    workspaceId: workspaceId?.startsWith('ws_') ? workspaceId : undefined,
  }
}

function intentEffects(intent: z.infer<typeof Intent>, isPaid: boolean): PaymentEffect[] {
  if (intent.invoice) return []
  const error = intent.last_payment_error
  const payment: Payment = {
    outcome: isPaid ? 'succeeded' : 'failed',
    id: intent.id,
    amount: intent.amount,
    currency: intent.currency.toUpperCase(),
    email: intent.receipt_email ?? null,
    reason: error?.decline_code ?? error?.code ?? 'payment_failed',
  }
  return [{ type: 'payment', payment, addon: undefined }]
}

function invoiceEffects(invoice: z.infer<typeof Invoice>, isPaid: boolean): PaymentEffect[] {
  const amount = isPaid ? invoice.amount_paid : invoice.amount_due
  if (isPaid && amount === 0) return []
  const payment: Payment = {
    outcome: isPaid ? 'succeeded' : 'failed',
    id: invoice.payment_intent ?? invoice.id,
    amount,
    currency: invoice.currency.toUpperCase(),
    email: invoice.customer_email ?? null,
    reason: 'payment_failed',
  }
  return [{ type: 'payment', payment, addon: undefined }]
}

/** A new price is a change of plan; a cancellation at the period's end can be revoked. */
function changeEffects(
  { created, data }: StripeEvent,
  now: z.infer<typeof Subscription>,
): PaymentEffect[] {
  const effects: PaymentEffect[] = []
  const workspaceId = now.metadata?.ws_id
  const [item] = now.items.data
  const before = Items.safeParse(data.previous_attributes?.items).data?.data[0]
  if (item && before && before.price.id !== item.price.id) {
    effects.push({
      type: 'plan_changed',
      before: planName(before.price),
      plan: planName(item.price),
      isUpgrade: (item.price.unit_amount ?? 0) > (before.price.unit_amount ?? 0),
      workspaceId,
    })
  }
  const isCancelled = isEnding(now.cancel_at_period_end, now.cancel_at)
  const { cancel_at_period_end: flag, cancel_at: at } = data.previous_attributes ?? {}
  const isChanged = flag !== undefined || at !== undefined
  const wasCancelled = isChanged ? isEnding(flag ?? now.cancel_at_period_end, at) : isCancelled
  if (item && isCancelled && !wasCancelled) {
    const end = now.cancel_at ?? now.current_period_end ?? item.current_period_end ?? created
    const plan = planName(item.price)
    const endsAt = end * 1_000
    effects.push({
      type: 'cancelled',
      plan,
      endsAt,
      isEnded: false,
      wasReported: false,
      workspaceId,
    })
  }
  if (wasCancelled && !isCancelled) effects.push({ type: 'cancellation_revoked', workspaceId })
  return effects
}

/** A cancellation is a flag or, in newer versions of the API, a time. */
function isEnding(flag: unknown, at: unknown): boolean {
  return flag === true || typeof at === 'number'
}

/** An end that an earlier cancellation announced is marked as reported. */
function endEffects(
  { created }: StripeEvent,
  ended: z.infer<typeof Subscription>,
): PaymentEffect[] {
  const [item] = ended.items.data
  if (!item) return []
  return [
    {
      type: 'cancelled',
      plan: planName(item.price),
      endsAt: (ended.ended_at ?? created) * 1_000,
      isEnded: true,
      wasReported: isEnding(ended.cancel_at_period_end, ended.cancel_at),
      workspaceId: ended.metadata?.ws_id,
    },
  ]
}

/** The seller's name of a plan. */
function planName({ id, lookup_key, nickname, metadata }: z.infer<typeof Price>): string {
  return metadata?.plan ?? lookup_key ?? nickname ?? id
}
