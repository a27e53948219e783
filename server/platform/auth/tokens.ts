import { SignJWT, errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'
import type { Secrets } from '../secrets/secrets.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'sohbet'
export const USER_TOKEN_SECONDS = 900
export const VISITOR_TOKEN_SECONDS = 86_400
const MAX_REMEMBERED = 20_000

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

/** Makes and reads the JWTs of users and visitors: HS256 alone, with the key named by `kid`. */
export class Tokens {
  readonly #secrets: Secrets
  readonly #now: () => number
  /** Tokens whose signature was found right; each is still judged by its time. */
  readonly #read = new Map<string, Claims>()

  constructor(secrets: Secrets, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  /** A user's access token, good for 15 minutes and as long as its family lives. */
  forUser(user: { id: string; workspaceId: string; familyId: string }): Promise<string> {
    const claims = { ws: user.workspaceId, fam: user.familyId }
    return this.#sign('user', user.id, claims, USER_TOKEN_SECONDS)
  }

  /** A visitor's token, good for a day and for one tenant. */
  forVisitor(visitor: { id: string; workspaceId: string; tenantId: string }): Promise<string> {
    const claims = { ws: visitor.workspaceId, tenant: visitor.tenantId }
    return this.#sign('visitor', visitor.id, claims, VISITOR_TOKEN_SECONDS)
  }

  /** The claims of a token. Throws 401 when it is not ours, was changed, or has expired. */
  async read(token: string): Promise<Claims> {
    const known = this.#read.get(token)
    if (known) {
      if (known.exp * 1_000 > this.#now()) return known
      this.#read.delete(token)
      throw unauthenticated('The token has expired. Get a new one.')
    }
    const claims = await this.#verify(token)
    if (this.#read.size >= MAX_REMEMBERED) this.#read.clear()
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

/** Whether each part is base64url as it is written, with no padding and no stray bits at the end. */
function isCanonical(token: string): boolean {
  return token
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

/** A 401 with the header that RFC 9110 asks for. */
export function unauthenticated(detail: string): AppError {
  return new AppError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })
}
