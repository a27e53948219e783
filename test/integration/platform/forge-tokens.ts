import { createHmac } from 'node:crypto'
import { masterKey } from '../../../server/lib/encryption.ts'

/** The `SECRET_KEY` of test products. */
export const SECRET_KEY = 'a-secret-key-for-tests-only'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Takes a token apart without looking at its signature. */
export function readToken(token: string): {
  header: Record<string, unknown>
  claims: Record<string, unknown>
} {
  const [header = '', claims = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), claims: read(claims) }
}

/** Signs any header and claims with the product's own key: what only an insider could do. */
export function signToken(header: object, claims: object, hash = 'sha256'): string {
  const body = `${encode(header)}.${encode(claims)}`
  const { signing } = masterKey(SECRET_KEY)
  return `${body}.${createHmac(hash, signing).update(body).digest('base64url')}`
}

/** A token whose parts were exchanged and whose signature was left as it is. */
export function tamper(token: string, change: { header?: object; claims?: object }): string {
  const { header, claims } = readToken(token)
  const signature = token.split('.')[2] ?? ''
  return `${encode({ ...header, ...change.header })}.${encode({ ...claims, ...change.claims })}.${signature}`
}
