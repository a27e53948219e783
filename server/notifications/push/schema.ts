import { ECDH } from 'node:crypto'
import { z } from 'zod'

const AUTH_BYTES = 16

/** A browser's subscription, as `PushSubscription.toJSON()` has it (W3C Push API, RFC 8291). */
export const NewPushSubscription = z.strictObject({
  endpoint: z.string().min(1).max(2_048),
  expirationTime: z.number().nullish().describe('Accepted, because browsers send it'),
  keys: z.strictObject({
    p256dh: z.string().max(100).refine(isPoint, 'must be a P-256 public key in base64url'),
    auth: z
      .string()
      .max(32)
      .refine(
        (text) => Buffer.from(text, 'base64url').length === AUTH_BYTES,
        'must be 16 bytes in base64url',
      ),
  }),
})

export const PushSubscriptionId = z.object({ id: z.string() })

/** The key that a browser subscribes with: `applicationServerKey`. */
export const PushKey = z.object({ key: z.string() })

/** A subscription as it is stored. */
export const PushTarget = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
})
export type PushTarget = z.infer<typeof PushTarget>

/** The push message that the panel's service worker shows; `tag` replaces an earlier one. */
export const PushPayload = z.object({
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
})
export type PushPayload = z.infer<typeof PushPayload>

function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), 'prime256v1')
    return true
  } catch {
    return false
  }
}
