import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { clientBlock } from '../../http/addresses.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { AppError } from '../../http/errors.ts'
import { describeDevice } from '../../lib/device.ts'
import { assignAccount } from '../../storage/workspace-scope.ts'
import { hasLoginFrom } from '../audit/store.ts'
import { needsCode, tryConsumeCode } from '../two-factor/two-factor.ts'
import type { LoginFailures } from './login-failures.ts'
import type { Passwords } from './passwords.ts'
import { type LoginSession, type LoginWay, createLogin } from './login-sessions.ts'
import { type UserRow, findUserByEmail } from './store.ts'
import { type Tokens, unauthenticated } from './tokens.ts'

/** How long the network of a successful login stays known to the account. */
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
 * the same time. A right password of an account with a second factor needs a code too. Attempts count per e-mail over all addresses, except from the user's own networks,
 * so that strangers cannot lock the user out. Those of one account share one connection: they take turns
 * at its row. Throws 401, 403 for a suspended workspace, and 429 for too many attempts.
 */
export async function signIn(
  ctx: Context,
  { tokens, passwords, limits, failures }: SignInParts,
  given: { email: string; password: string; code?: string | undefined; way: LoginWay },
  reply: FastifyReply,
): Promise<{ user: UserRow; session: LoginSession }> {
  const address = clientBlock(reply.request)
  const user = await findUserByEmail(ctx.db, given.email)
  if (user) assignAccount({ id: user.id, workspaceId: user.workspace_id })
  if (!(await isKnownNetwork(ctx, user, address))) await limits.count('account', given.email, reply)
  if (!(await passwords.isRight(given.password, user?.password_hash)) || !user) {
    if (user) failures.note(user, address)
    throw unauthenticated('The e-mail or the password is wrong.')
  }
  await ctx.suspensions.assertActive(user.workspace_id)
  if (await needsCode(ctx, user.id)) {
    if (given.code === undefined) throw codeRequired()
    // From every network: only a caller with the password can use up these attempts.
    await limits.count('two-factor', user.id, reply)
    if (!(await tryConsumeCode(ctx, user.id, given.code))) {
      failures.note(user, address)
      throw unauthenticated('The code is wrong, or was used already. Wait for the next one.')
    }
  }
  const device = describeDevice(reply.request.headers['user-agent'])
  const from = { address, device, way: given.way, failures: failures.tryConsume(user.id) }
  return { user, session: await createLogin(ctx, tokens, user, from) }
}

/** Returns whether a user has signed in from a network lately; false without a user, in the same time. */
export function isKnownNetwork(
  ctx: Context,
  user: UserRow | undefined,
  address: string,
): Promise<boolean> {
  return hasLoginFrom(ctx.db, {
    workspaceId: user?.workspace_id ?? '',
    userId: user?.id ?? '',
    address,
    since: ctx.now() - KNOWN_NETWORK_TTL_MS,
  })
}

function codeRequired(): AppError {
  return new AppError(
    'two_factor_required',
    'A second factor is required: send `code` from your app, or a recovery code.',
    {
      headers: { 'www-authenticate': 'Bearer' },
    },
  )
}
