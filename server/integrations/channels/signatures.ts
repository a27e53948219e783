import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '../../lib/constant-time.ts'
import { standardKey } from '../../lib/standard-webhooks.ts'
import type { SignedCall } from './channel.ts'

/** Older signatures, or signatures from the future, may be replays. */
const TOLERANCE_MS = 5 * 60_000

/** Hex HMAC-SHA256 of the concatenated parts. */
export function hexHmac(secret: string, ...parts: (string | Buffer)[]): string {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest('hex')
}

/** Whether a timestamp in Unix seconds lies within the tolerance around `now`. */
export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1_000) <= TOLERANCE_MS
}

/** The header's only value; undefined for a repeated or a missing header. */
export function firstHeader({ headers }: SignedCall, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Verifies the signature of this service's own platform webhooks. */
export function verifyPlatform(secret: string, call: SignedCall): boolean {
  const timestamp = firstHeader(call, 'x-svc-timestamp')
  if (timestamp === undefined || !isRecent(timestamp, call.now)) return false
  const expected = `sha256=${hexHmac(secret, `${timestamp}.`, call.body)}`
  return constantTimeEqual(firstHeader(call, 'x-svc-signature'), expected)
}

/** Verifies a signature of Standard Webhooks. */
export function verifyStandard(secret: string, call: SignedCall): boolean {
  const id = firstHeader(call, 'webhook-id')
  const timestamp = firstHeader(call, 'webhook-timestamp')
  if (id === undefined || timestamp === undefined || !isRecent(timestamp, call.now)) return false
  const expected = createHmac('sha256', standardKey(secret))
    .update(`${id}.${timestamp}.`)
    .update(call.body)
    .digest('base64')
  return (firstHeader(call, 'webhook-signature') ?? '')
    .split(' ')
    .some((given) => constantTimeEqual(given, `v1,${expected}`))
}
