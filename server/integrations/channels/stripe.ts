import { z } from 'zod'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import type { EventChannel, SignedCall } from './channel.ts'
import { Secret } from './setting-fields.ts'
import { firstHeader, hexHmac, isRecent } from './signatures.ts'
import { interpretStripe } from './stripe-effects.ts'

const Identified = z.looseObject({ id: z.string().min(1).max(255) })

/** Stripe: payments and subscriptions. */
export const stripe: EventChannel = {
  kind: 'stripe',
  settings: z.strictObject({ signing_secret: Secret.optional() }),
  secretFields: ['signing_secret'],
  customSecretField: undefined,
  carriesPayments: true,
  verify: (secrets, call) => verifyStripe(secrets.signing_secret ?? secrets.secret, call),

  // The event is interpreted by the queue, so that one of an unknown shape is stored and shown.
  parse(body) {
    const event = Identified.parse(body)
    return [{ id: event.id, orderingKey: undefined, event: { type: 'payment', event } }]
  },
  interpretPayment: interpretStripe,
}

/**
 * Verifies `Stripe-Signature`: `t=…,v1=…` over the time, a dot and the body, with several `v1` while
 * a secret is rotated.
 */
function verifyStripe(secret: string, call: SignedCall): boolean {
  const parts = (firstHeader(call, 'stripe-signature') ?? '').split(',').map((part) => part.trim())
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [timestamp, ...others] = valuesOf('t')
  if (timestamp === undefined || others.length > 0 || !isRecent(timestamp, call.now)) return false
  const expected = hexHmac(secret, `${timestamp}.`, call.body)
  return valuesOf('v1').some((given) => constantTimeEqual(given, expected))
}
