import { SohbetError } from './error.ts'

/** A verified webhook. Keep the ids that you have seen: a delivery can arrive twice. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** `evt_…` of a subscription, `wh_…` of a rule; the same at every attempt. */
  id: string
  event: string
  data: Data
  /** When it happened, ISO 8601. */
  at: string
}

export interface Webhook {
  /** The body as it arrived: a parsed one has other bytes. */
  body: string | Uint8Array
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The secret of the subscription or the rule, as text or as `whsec_…`. */
  secret: string
  /** How far the time of the attempt may be away; 300 by default. */
  toleranceSeconds?: number | undefined
}

const DEFAULT_TOLERANCE_SECONDS = 300
/** A secret in the form of Standard Webhooks: its key is the decoded rest. */
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

interface Body {
  event: string
  data: Record<string, unknown>
  created_at?: string
  webhook_id?: string
  timestamp?: string
}

/**
 * Verifies a webhook of a subscription or a rule and returns its event. The Standard Webhooks headers
 * decide where they are there, as the service always sends them, else the family's own. Throws a
 * `SohbetError` with the code `invalid_signature`.
 */
export async function verifyWebhook(webhook: Webhook): Promise<WebhookEvent> {
  const { secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = webhook
  const header = (name: string) => headerOf(webhook.headers, name)
  const body = typeof webhook.body === 'string' ? utf8(webhook.body) : Uint8Array.from(webhook.body)
  const isFresh = (seconds: string | undefined) =>
    Math.abs(Date.now() / 1_000 - Number(seconds ?? Number.NaN)) <= toleranceSeconds

  const standard = header('webhook-signature')
  const own = header('x-svc-signature')
  const chat = header('x-chat-signature')
  let isRight = false
  if (standard !== undefined) {
    const id = header('webhook-id')
    const at = header('webhook-timestamp')
    const given = standard
      .split(' ')
      .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
    const signed = join(utf8(`${id}.${at}.`), body)
    isRight = isFresh(at) && (await isSigned(standardKey(secret), signed, given.map(fromBase64)))
  } else if (own !== undefined) {
    const at = header('x-svc-timestamp')
    isRight =
      isFresh(at) && (await isSigned(utf8(secret), join(utf8(`${at}.`), body), [fromHex(own)]))
  } else if (chat !== undefined) {
    isRight = await isSigned(utf8(secret), body, [fromHex(chat)])
  }
  if (!isRight) throw new SohbetError('invalid_signature', 'The webhook is not signed, or too old.')
  const parsed: Body = JSON.parse(new TextDecoder().decode(body))
  const { event, data, created_at, webhook_id, timestamp } = parsed
  const id = header('webhook-id') ?? header('x-svc-delivery') ?? webhook_id ?? ''
  return { id, event, data, at: created_at ?? timestamp ?? '' }
}

function headerOf(headers: Webhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

/** Returns whether one of the signatures is right; the comparison takes the same time for each. */
async function isSigned(
  secret: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
  given: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify'])
  const checks = given.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed))
  return (await Promise.all(checks)).includes(true)
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = STANDARD_SECRET.exec(secret)?.[1]
  return encoded === undefined ? utf8(secret) : fromBase64(encoded)
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.codePointAt(0) ?? 0)
  } catch {
    return new Uint8Array()
  }
}

/** Reads `sha256=` and hex. */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = /^sha256=((?:[0-9a-f]{2})+)$/.exec(text)?.[1]?.match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}
