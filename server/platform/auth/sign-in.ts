import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { clientBlock } from '../../http/addresses.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { hasLoginFrom } from '../audit/store.ts'
import type { LoginFailures } from './login-failures.ts'
import type { Passwords } from './passwords.ts'
import { type LoginSession, createLogin } from './login-sessions.ts'
import { type UserRow, findUserByEmail } from './store.ts'
import { type Tokens, unauthenticated } from './tokens.ts'

/** A network with a successful login stays known to the account for so long. */
const KNOWN_NETWORK_TTL_MS = 30 * DAY_MS

/** The services of a login. */
export interface SignInParts {
  tokens: Tokens
  passwords: Passwords
  limits: Limits
  failures: LoginFailures
}

/**
 * Signs a user in by e-mail and password. A wrong password and an unknown e-mail are the same 401 in
 * the same time. Attempts count per e-mail over all addresses, except from the user's own networks,
 * so that strangers cannot lock the user out. Throws 429 for too many.
 */
export async function signIn(
  ctx: Context,
  { tokens, passwords, limits, failures }: SignInParts,
  given: { email: string; password: string; way: 'panel' | 'token' },
  reply: FastifyReply,
): Promise<{ user: UserRow; session: LoginSession }> {
  const address = clientBlock(reply.request)
  const user = await findUserByEmail(ctx.db, given.email)
  const isKnownNetwork = await hasLoginFrom(ctx.db, {
    workspaceId: user?.workspace_id ?? '',
    userId: user?.id ?? '',
    address,
    since: ctx.now() - KNOWN_NETWORK_TTL_MS,
  })
  if (!isKnownNetwork) await limits.count('account', given.email, reply)
  if (!(await passwords.isRight(given.password, user?.password_hash)) || !user) {
    if (user) failures.note(user, address)
    throw unauthenticated('The e-mail or the password is wrong.')
  }
  const from = { address, way: given.way, failures: failures.tryConsume(user.id) }
  return { user, session: await createLogin(ctx, tokens, user, from) }
}
