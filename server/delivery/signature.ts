import { createHmac } from 'node:crypto'
import { standardKey } from '../lib/standard-webhooks.ts'

/** The two kinds of outgoing webhooks. */
export type WebhookKind = 'chat' | 'platform'

/** The secrets of an endpoint: the current one, and the previous ones within their overlap. */
export interface SigningSecrets {
  current: string
  previous?: readonly string[]
}

/** The payload of one attempt: the delivery's own bytes, signed with the attempt's time. */
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

/** Returns `sha256=` and the lower-case hex HMAC-SHA-256 of the text's UTF-8 bytes. */
export function hexSignature(secret: string, signed: string): string {
  return `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`
}

/** Signs a platform webhook: the timestamp in Unix seconds, a dot and the raw body. */
export function platformSignature(secret: string, timestamp: number, body: string): string {
  return hexSignature(secret, `${timestamp}.${body}`)
}

/** Returns one `webhook-signature` entry of Standard Webhooks; a text's key is its `standardKey`. */
export function standardSignature(
  secret: string | Buffer,
  id: string,
  timestamp: number,
  body: string,
): string {
  const key = typeof secret === 'string' ? standardKey(secret) : secret
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/**
 * Builds the body of a chat delivery. The last field signs the compact JSON text of the body without
 * that field. The body is built once, with the event, so that every attempt sends the same bytes.
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

/** Builds the body of a platform delivery, the same bytes at every attempt. */
export function platformBody(delivery: { event: string; at: number; data: unknown }): string {
  return JSON.stringify({
    event: delivery.event,
    created_at: new Date(delivery.at).toISOString(),
    data: delivery.data,
  })
}

/**
 * Returns the headers of one attempt. Both kinds also carry the Standard Webhooks headers, which hold
 * the signatures of the old secrets too while a rotation overlaps.
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
