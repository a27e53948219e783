import { createHash } from 'node:crypto'
import { z } from 'zod'
import { EVENTS } from '../../events/registry.ts'
import { invalidFields } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import type { EventChannel, InboundCall } from './channel.ts'
import type { ParsedEvent } from './inbound-events.ts'
import { SigningKey } from './setting-fields.ts'
import { firstHeader, verifyPlatform, verifyStandard } from './signatures.ts'

const MAX_ID_LENGTH = 200

/** The events that a program may report. */
export const ReportableEvent = z.enum([
  'payment.succeeded',
  'payment.failed',
  'subscription.plan_changed',
  'subscription.renewed',
  'subscription.cancelled',
  'social.comment.received',
  'social.dm.received',
  'social.post.published',
])
export type ReportableEvent = z.infer<typeof ReportableEvent>

const Reported = z.strictObject({
  /** The program's id of the event; an id counts once. */
  id: z.string().min(1).max(MAX_ID_LENGTH).optional(),
  event: ReportableEvent,
  created_at: z.string().max(64).optional(),
  data: z.record(z.string(), z.unknown()),
})

/** Credits that a payment adds, where the integration is allowed to bill. */
export const CreditsOfPayment = z.object({
  credits: z.int().min(1).max(100_000_000),
  reference: z.string().min(1).max(200),
  ws_id: z.string().max(64).optional(),
})

/** A customer's own program, which sends events of this service's own catalogue. */
export const generic: EventChannel = {
  kind: 'generic',
  settings: z.strictObject({ secret: SigningKey.optional() }),
  secretFields: [],
  customSecretField: 'secret',
  carriesPayments: true,
  verify: ({ secret }, call) => verifyPlatform(secret, call) || verifyStandard(secret, call),
  parse: parseGeneric,
}

/**
 * Parses `{event, data}`. Throws 422 for data that do not fit the event.
 */
function parseGeneric(body: unknown, call: InboundCall): ParsedEvent[] {
  const parsed = Reported.safeParse(body)
  if (!parsed.success)
    throw invalidFields(parsed.error.issues.map((issue) => fieldError(issue, '')))
  const { id, event, data } = parsed.data
  const { credits, reference, ws_id: wsId, ...rest } = data
  const filled = { ...defaultsOf(event, call), ...rest }
  const checked = EVENTS[event].data.strict().safeParse(filled)
  if (!checked.success) {
    throw invalidFields(checked.error.issues.map((issue) => fieldError(issue, '/data')))
  }
  const isPayment = event === 'payment.succeeded'
  const tenantId = 'tenant_id' in checked.data ? checked.data.tenant_id : null
  if (tenantId !== null && tenantId !== call.tenantId) {
    throw invalidFields([{ path: '/data/tenant_id', message: "is not the integration's tenant" }])
  }
  const addon = isPayment && credits !== undefined ? { credits, reference, ws_id: wsId } : null
  if (addon && !CreditsOfPayment.safeParse(addon).success) {
    throw invalidFields([{ path: '/data/credits', message: 'needs a number and a reference' }])
  }
  return [
    {
      ...(id === undefined ? signedIdentity(call) : { id }),
      orderingKey: undefined,
      event: { type: 'named', event, data: checked.data, addon },
    },
  ]
}

/**
 * Returns the identity of an event without an id in its body, from signed bytes alone. The signature
 * of Standard Webhooks covers `webhook-id`, which stays the same over retries. `X-SVC-Signature`
 * covers no id: the digest of timestamp and body identifies the call. A call with both signatures is
 * known by both identities, so that a replay without one of them is recognised.
 */
function signedIdentity(call: InboundCall): Pick<ParsedEvent, 'id' | 'replayKey'> {
  const { secret } = call.secrets
  const timestamp = firstHeader(call, 'x-svc-timestamp')
  const digest = createHash('sha256')
    .update(`${timestamp ?? ''}.`)
    .update(call.body)
    .digest('hex')
  const replayKey = verifyPlatform(secret, call) ? digest : undefined
  const id = verifyStandard(secret, call) ? firstHeader(call, 'webhook-id') : undefined
  return { id: id ? fitId(id) : digest, replayKey }
}

/** Returns an id that fits the limit; a longer one by its digest, so that distinct ids stay so. */
function fitId(id: string): string {
  return id.length <= MAX_ID_LENGTH ? id : createHash('sha256').update(id).digest('hex')
}

/** Fields that a program may leave out. */
function defaultsOf(
  event: ReportableEvent,
  { tenantId, now }: InboundCall,
): Record<string, unknown> {
  const at = isoTime(now)
  const payment = { tenant_id: tenantId, provider: 'generic', customer_email: null }
  if (event === 'payment.succeeded') return { ...payment, paid_at: at }
  if (event === 'payment.failed') return { ...payment, reason: 'unknown', failed_at: at }
  if (event === 'subscription.plan_changed') return { changed_at: at }
  if (event === 'social.post.published') return { url: null, published_at: at }
  return {}
}

function fieldError({ path, message, ...issue }: z.core.$ZodIssue, below: string) {
  const inside = path.map((part) => `/${String(part)}`).join('')
  const unknown = issue.code === 'unrecognized_keys' ? `/${issue.keys[0] ?? ''}` : ''
  return { path: below + inside + unknown, message }
}
