import type { FastifyReply } from 'fastify'
import { type Context, transaction } from '../context.ts'
import { clientBlock } from '../http/addresses.ts'
import type { Limits } from '../http/limits.ts'
import { recordAudit } from './audit.ts'
import type { Passwords } from './passwords.ts'
import { type Session, openFamily } from './sessions.ts'
import { countFailure } from './store.accounts.ts'
import { type UserRow, findUserByEmail } from './store.ts'
import { type Tokens, refused } from './tokens.ts'

/** The first wrong password is written down, and then every so many. */
const FAILURES_PER_ENTRY = 5

/** What looks at passwords and gives tokens for them. */
export interface SignInParts {
  tokens: Tokens
  passwords: Passwords
  limits: Limits
}

/**
 * Lets somebody in by e-mail and password. A wrong password and an unknown e-mail are the same 401
 * in the same time; tries are counted per e-mail, however they come. Throws 429 for too many.
 */
export async function signIn(
  ctx: Context,
  { tokens, passwords, limits }: SignInParts,
  given: { email: string; password: string; way: 'panel' | 'token' },
  reply: FastifyReply,
): Promise<{ user: UserRow; session: Session }> {
  await limits.count('auth', `email:${given.email}`, reply)
  const address = clientBlock(reply.request)
  const user = await findUserByEmail(ctx.db, given.email)
  if (!(await passwords.isRight(given.password, user?.password_hash)) || !user) {
    if (user) noteFailure(ctx, user, address)
    throw refused('The e-mail or the password is wrong.')
  }
  return { user, session: await openFamily(ctx, tokens, user, { address, way: given.way }) }
}

/** Nobody waits for this: the answer would come later for an e-mail that is known. */
function noteFailure(ctx: Context, user: UserRow, address: string): void {
  const noted = transaction(ctx, async (tx) => {
    const failures = await countFailure(tx.db, user.id)
    if (failures !== 1 && failures % FAILURES_PER_ENTRY !== 0) return
    await recordAudit(tx, user.workspace_id, {
      actor: { kind: 'user', userId: user.id, address },
      action: 'login.failed',
      details: { failures },
    })
  })
  noted.catch((error: unknown) => ctx.log.warn({ err: error }, 'a wrong password was not noted'))
}
