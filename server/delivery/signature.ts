import { createHmac } from 'node:crypto'

/** The two families of outgoing webhooks (contract, section 6). */
export type WebhookKind = 'chat' | 'platform'

/** The secrets of an endpoint: the current one, and those before whose overlap still lasts. */
export interface SigningSecrets {
  current: string
  previous?: readonly string[]
}

/** What one attempt sends: the delivery's own bytes, signed for this moment. */
export interface SignedPayload {
  family: WebhookKind
  /** The `evt_` or `wh_` id, the same at every attempt. */
  id: string
  event: string
  /** The exact bytes of the body as text. */
  body: string
  /** When the attempt starts, in milliseconds. */
  now: number
}

/** `sha256=` and the lower-case hex HMAC-SHA-256 of the text's UTF-8 bytes. */
export function hexSignature(secret: string, signed: string): string {
  return `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`
}

/** The platform family's signature: over the timestamp in Unix seconds, a dot and the raw body. */
export function platformSignature(secret: string, timestamp: number, body: string): string {
  return hexSignature(secret, `${timestamp}.${body}`)
}

/** One `webhook-signature` entry of Standard Webhooks; the key is the UTF-8 bytes of the secret. */
export function standardSignature(
  secret: string | Buffer,
  id: string,
  timestamp: number,
  body: string,
): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The form in which the libraries of Standard Webhooks take a secret. */
export function standardSecret(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`
}

/**
 * The body of a chat delivery. Its last field signs the compact JSON text of the body without that
 * field; made once, when the event happens, so that every attempt sends the same bytes.
 */
export function chatBody(
  secret: string,
  delivery: { event: string; id: string; at: number; data: unknown },
): string {
  const unsigned = JSON.stringify({
    event: delivery.event,
    webhook_id: delivery.id,
    timestamp: new Date(delivery.at).toISOString(),
    data: delivery.data,
  })
  return `${unsigned.slice(0, -1)},"signature":"${hexSignature(secret, unsigned)}"}`
}

/** The body of a platform delivery, the same bytes at every attempt. */
export function platformBody(delivery: { event: string; at: number; data: unknown }): string {
  return JSON.stringify({
    event: delivery.event,
    created_at: new Date(delivery.at).toISOString(),
    data: delivery.data,
  })
}

/**
 * The headers of one attempt. Both families carry the Standard Webhooks headers as well; during a
 * rotation those hold the old secrets' signatures beside the new one's.
 */
export function signedHeaders(
  sent: SignedPayload,
  secrets: SigningSecrets,
): Record<string, string> {
  const timestamp = Math.floor(sent.now / 1000)
  const standard = [secrets.current, ...(secrets.previous ?? [])].map((secret) =>
    standardSignature(secret, sent.id, timestamp, sent.body),
  )
  return {
    ...ownHeaders(sent, secrets.current, timestamp),
    'webhook-id': sent.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}

function ownHeaders(
  sent: SignedPayload,
  secret: string,
  timestamp: number,
): Record<string, string> {
  if (sent.family === 'chat') return { 'X-CHAT-Signature': hexSignature(secret, sent.body) }
  return {
    'X-SVC-Event': sent.event,
    'X-SVC-Signature': platformSignature(secret, timestamp, sent.body),
    'X-SVC-Delivery': sent.id,
    'X-SVC-Timestamp': String(timestamp),
  }
}
