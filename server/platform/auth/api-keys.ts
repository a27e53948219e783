import { hash } from 'node:crypto'
import { randomText } from '../../lib/ids.ts'

const MARK = 'svc_live_'
const PUBLIC_LENGTH = 12
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${MARK}[0-9A-Za-z]{${PUBLIC_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** The parts of an API key: the public id for the lookup, and the secret for the verification. */
export interface KeyParts {
  publicId: string
  secret: string
}

/** Returns a new key: `svc_live_`, a public id, a secret of 190 bits and a checksum. */
export function newKey(): { key: string; parts: KeyParts; prefix: string } {
  const publicId = randomText(PUBLIC_LENGTH)
  const secret = randomText(SECRET_LENGTH)
  const key = `${MARK}${publicId}${secret}${checksum(publicId + secret)}`
  return { key, parts: { publicId, secret }, prefix: `${MARK}${publicId.slice(0, 4)}` }
}

/** Returns whether a token has the prefix of an API key. */
export function isKey(token: string): boolean {
  return token.startsWith(MARK)
}

/** Parses a key; `undefined` for a malformed key, which needs no lookup. */
export function parseKey(token: string): KeyParts | undefined {
  if (!SHAPE.test(token)) return undefined
  const body = token.slice(MARK.length, -CHECKSUM_LENGTH)
  if (checksum(body) !== token.slice(-CHECKSUM_LENGTH)) return undefined
  return { publicId: body.slice(0, PUBLIC_LENGTH), secret: body.slice(PUBLIC_LENGTH) }
}

function checksum(body: string): string {
  const digest = hash('sha256', `${MARK}${body}`, 'hex')
  return BigInt(`0x${digest}`).toString(36).slice(0, CHECKSUM_LENGTH)
}
