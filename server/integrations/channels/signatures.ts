import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { IntegrationSecrets } from '../integrations.ts'
import type { HookKind } from '../schema.ts'

/** Older signatures, or such from the future, may be somebody's recording. */
const TOLERANCE_MS = 5 * 60_000

/** A call as it came, byte for byte. */
export interface SignedCall {
  headers: IncomingHttpHeaders
  body: Buffer
  now: number
}

/** Whether a call proves to know the integration's secret, in the way of its provider. */
export function isProven(kind: HookKind, secrets: IntegrationSecrets, call: SignedCall): boolean {
  switch (kind) {
    case 'whatsapp':
    case 'meta':
      return isOfMeta(secrets.app_secret ?? secrets.secret, call)
    case 'telegram':
      return isSame(headerOf(call, 'x-telegram-bot-api-secret-token'), secrets.secret)
    case 'stripe':
      return isOfStripe(secrets.signing_secret ?? secrets.secret, call)
    case 'generic':
      return isOfPlatform(secrets.secret, call) || isStandard(secrets.secret, call)
  }
}

/** Compares in constant time, whatever the lengths. */
export function isSame(given: string | undefined, right: string): boolean {
  if (given === undefined) return false
  return timingSafeEqual(digestOf(given), digestOf(right))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** `sha256=` and the hex HMAC of the body. */
function isOfMeta(secret: string, call: SignedCall): boolean {
  return isSame(headerOf(call, 'x-hub-signature-256'), `sha256=${hmac(secret, call.body)}`)
}

/** `t=…,v1=…`, with several `v1` while a secret is rotated; over the time, a dot and the body. */
function isOfStripe(secret: string, call: SignedCall): boolean {
  const parts = (headerOf(call, 'stripe-signature') ?? '').split(',').map((part) => part.trim())
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [timestamp, ...others] = valuesOf('t')
  if (timestamp === undefined || others.length > 0 || !isRecent(timestamp, call.now)) return false
  const right = hmac(secret, `${timestamp}.`, call.body)
  return valuesOf('v1').some((given) => isSame(given, right))
}

/** The signature that our own platform webhooks have (contract, section 6). */
function isOfPlatform(secret: string, call: SignedCall): boolean {
  const timestamp = headerOf(call, 'x-svc-timestamp')
  if (timestamp === undefined || !isRecent(timestamp, call.now)) return false
  const right = `sha256=${hmac(secret, `${timestamp}.`, call.body)}`
  return isSame(headerOf(call, 'x-svc-signature'), right)
}

/** Standard Webhooks; the key is the UTF-8 bytes of the secret. */
function isStandard(secret: string, call: SignedCall): boolean {
  const id = headerOf(call, 'webhook-id')
  const timestamp = headerOf(call, 'webhook-timestamp')
  if (id === undefined || timestamp === undefined || !isRecent(timestamp, call.now)) return false
  const right = createHmac('sha256', secret)
    .update(`${id}.${timestamp}.`)
    .update(call.body)
    .digest('base64')
  return (headerOf(call, 'webhook-signature') ?? '')
    .split(' ')
    .some((given) => isSame(given, `v1,${right}`))
}

function hmac(secret: string, ...parts: (string | Buffer)[]): string {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest('hex')
}

function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS
}

function headerOf({ headers }: SignedCall, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
