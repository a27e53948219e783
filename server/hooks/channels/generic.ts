import { z } from 'zod'
import { EVENTS } from '../../events/registry.ts'
import { invalidFields } from '../../http/errors.ts'
import type { Arrived } from '../arrivals.ts'

/** Everything that a program may tell of. */
export const ToldEvent = z.enum([
  'payment.succeeded',
  'payment.failed',
  'subscription.plan_changed',
  'subscription.renewed',
  'subscription.cancelled',
  'social.comment.received',
  'social.dm.received',
  'social.post.published',
])
export type ToldEvent = z.infer<typeof ToldEvent>

const Told = z.strictObject({
  /** The program's id of the event; the same twice counts once. */
  id: z.string().min(1).max(200).optional(),
  event: ToldEvent,
  created_at: z.string().max(64).optional(),
  data: z.record(z.string(), z.unknown()),
})

/** What a payment can also say: credits to be added, where the integration may add them. */
export const CreditsOfPayment = z.object({
  credits: z.int().min(1).max(100_000_000),
  reference: z.string().min(1).max(200),
  ws_id: z.string().max(64).optional(),
})

/** Fields of a payment that need not be sent. */
interface Defaults {
  tenantId: string
  /** ISO 8601. */
  at: string
}

/**
 * Reads `{event, data}`. The id is the body's, that of the delivery's headers, or else the digest of
 * the body. Throws 422 for data that does not fit the event.
 */
export function readGeneric(body: unknown, deliveryId: string, defaults: Defaults): Arrived[] {
  const told = Told.safeParse(body)
  if (!told.success) throw invalidFields(told.error.issues.map((issue) => fault(issue, '')))
  const { id, event, data } = told.data
  const { credits, reference, ws_id: wsId, ...rest } = data
  const filled = { ...defaultsOf(event, defaults), ...rest }
  const judged = EVENTS[event].data.strict().safeParse(filled)
  if (!judged.success) {
    throw invalidFields(judged.error.issues.map((issue) => fault(issue, '/data')))
  }
  const isPayment = event === 'payment.succeeded'
  const tenantId = 'tenant_id' in judged.data ? judged.data.tenant_id : null
  if (tenantId !== null && tenantId !== defaults.tenantId) {
    throw invalidFields([{ path: '/data/tenant_id', message: "is not the integration's tenant" }])
  }
  const addon = isPayment && credits !== undefined ? { credits, reference, ws_id: wsId } : null
  if (addon && !CreditsOfPayment.safeParse(addon).success) {
    throw invalidFields([{ path: '/data/credits', message: 'needs a number and a reference' }])
  }
  return [
    {
      id: id ?? deliveryId,
      lane: undefined,
      arrival: { type: 'generic', event, data: { told: judged.data, addon } },
    },
  ]
}

function defaultsOf(event: ToldEvent, { tenantId, at }: Defaults): Record<string, unknown> {
  const payment = { tenant_id: tenantId, provider: 'generic', customer_email: null }
  if (event === 'payment.succeeded') return { ...payment, paid_at: at }
  if (event === 'payment.failed') return { ...payment, reason: 'unknown', failed_at: at }
  if (event === 'subscription.plan_changed') return { changed_at: at }
  if (event === 'social.post.published') return { url: null, published_at: at }
  return {}
}

function fault({ path, message, ...issue }: z.core.$ZodIssue, below: string) {
  const inside = path.map((part) => `/${String(part)}`).join('')
  const unknown = issue.code === 'unrecognized_keys' ? `/${issue.keys[0] ?? ''}` : ''
  return { path: below + inside + unknown, message }
}
