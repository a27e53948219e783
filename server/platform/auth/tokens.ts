import { SignJWT, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'
import type { Secrets } from '../secrets/secrets.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'sohbet'
export const USER_TOKEN_SECONDS = 900
export const VISITOR_TOKEN_SECONDS = 86_400
const MAX_CACHED_TOKENS = 20_000

const UserClaims = z.object({
  aud: z.literal('user'),
  sub: z.string(),
  ws: z.string(),
  fam: z.string(),
  exp: z.number(),
})
const VisitorClaims = z.object({
  aud: z.literal('visitor'),
  sub: z.string(),
  ws: z.string(),
  tenant: z.string(),
  exp: z.number(),
})
const Claims = z.discriminatedUnion('aud', [UserClaims, VisitorClaims])
export type Claims = z.infer<typeof Claims>

/** Signs and verifies the JWTs of users and visitors: HS256 alone, with the key named by `kid`. */
export class Tokens {
  readonly #secrets: Secrets
  readonly #now: () => number
  /** Cache of tokens with a verified signature; the expiry is checked at every use. */
  readonly #read = new Map<string, Claims>()

  constructor(secrets: Secrets, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** Returns a user's access token, valid for 15 minutes while its family is active. */
  forUser(user: { id: string; workspaceId: string; familyId: string }): Promise<string> {
    const claims = { ws: user.workspaceId, fam: user.familyId }
    return this.#sign('user', user.id, claims, USER_TOKEN_SECONDS)
  }

  /** Returns a visitor's token, valid for a day and for one tenant. */
  forVisitor(visitor: { id: string; workspaceId: string; tenantId: string }): Promise<string> {
    const claims = { ws: visitor.workspaceId, tenant: visitor.tenantId }
    return this.#sign('visitor', visitor.id, claims, VISITOR_TOKEN_SECONDS)
  }

  /**
   * Returns the claims of a token. Throws 401 when the signature is wrong or the token has expired.
   */
  async read(token: string): Promise<Claims> {
    const cached = this.#read.get(token)
    if (cached) {
      if (cached.exp * 1_000 > this.#now()) return cached
      this.#read.delete(token)
      throw unauthenticated('The token has expired. Get a new one.')
    }
    const claims = await this.#verify(token)
    if (this.#read.size >= MAX_CACHED_TOKENS) this.#read.clear()
    this.#read.set(token, claims)
    return claims
  }

  async #verify(token: string): Promise<Claims> {
    if (!isCanonical(token)) throw unauthenticated('The token is not valid.')
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = this.#secrets.findSigningKey(kid)
          if (!key) throw new errors.JWKSNoMatchingKey()
          return key
        },
        {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['exp', 'sub', 'aud'],
          currentDate: new Date(this.#now()),
        },
      )
      return Claims.parse(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw unauthenticated('The token has expired. Get a new one.')
      throw unauthenticated('The token is not valid.')
    }
  }

  #sign(
    aud: string,
    sub: string,
    claims: Record<string, string>,
    seconds: number,
  ): Promise<string> {
    const { id, key } = this.#secrets.signingKey()
    const now = Math.floor(this.#now() / 1_000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: id })
      .setIssuer(ISSUER)
      .setAudience(aud)
      .setSubject(sub)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(key)
  }
}

/**
 * Returns whether each part is canonical base64url: without padding and without stray trailing
 * bits.
 */
function isCanonical(token: string): boolean {
  return token
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/** Returns a 401 with the `WWW-Authenticate` header of RFC 9110. */
export function unauthenticated(detail: string): AppError {
  return new AppError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })
}
