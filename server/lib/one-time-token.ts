import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 bits that is shown once, for a link or a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored digest of a token. 256 random bits need no slow hash. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
