import { createHmac } from 'node:crypto'
import { constantTimeEqual } from '../../lib/constant-time.ts'

const STEP_MS = 30_000
const DIGITS = 6
/** Steps before and after the present one: clocks of phones differ, and typing takes a while. */
const WINDOW_STEPS = 1
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the time step of a moment in milliseconds (RFC 6238, section 4). */
export function timeStep(now: number): number {
  return Math.floor(now / STEP_MS)
}

/** Returns the code of a time step: HMAC-SHA1, dynamic truncation (RFC 4226, section 5.3). */
export function totp(secret: Uint8Array, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the time step of a code, at most one step from now; `undefined` for any other code,
 * and for one of `lastStep` or before, which was used already.
 */
export function findTimeStep(
  secret: Uint8Array,
  code: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  const present = timeStep(now)
  for (let step = present - WINDOW_STEPS; step <= present + WINDOW_STEPS; step += 1) {
    if (step > lastStep && constantTimeEqual(code, totp(secret, step))) return step
  }
  return undefined
}

/** Encodes bytes in Base32 without padding (RFC 4648), as authenticator apps read secrets. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text
}
