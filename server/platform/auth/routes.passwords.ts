import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PEOPLE_ONLY, PUBLIC } from '../../http/access.ts'
import { clientBlock, clientNetwork } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { actorOf } from '../audit/audit.ts'
import { requireMember } from './authenticator.ts'
import { requestPasswordReset, changePassword, confirmReset } from './password-resets.ts'
import type { Passwords } from './passwords.ts'
import { PasswordChange, ResetConfirmation, ResetRequest } from '../schema.ts'
import { isKnownNetwork } from './sign-in.ts'
import { findUser, findUserByEmail } from './store.ts'

/** The response reveals nothing about whether the user exists. */
const Accepted = z.object({ status: z.literal('accepted') })

const change = {
  config: { access: PEOPLE_ONLY, pool: 'default', mayFail: ['conflict'] },
  schema: {
    summary: 'Change your own password; your other logins end',
    tags: ['Auth'],
    body: PasswordChange,
    response: { 204: z.null() },
  },
} as const

// Counted with the number of the pool `auth`, apart from logins, which usually precede a reset.
const reset = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['rate_limited'] },
  schema: {
    summary: 'Request a password reset by mail; the response is the same for any e-mail',
    tags: ['Auth'],
    body: ResetRequest,
    response: { 202: Accepted },
  },
} as const

const confirm = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['unauthenticated', 'rate_limited'] },
  schema: {
    summary: 'Set a new password with the token from the mail; every login ends',
    tags: ['Auth'],
    body: ResetConfirmation,
    response: { 204: z.null() },
  },
} as const

/** Registers the routes that change a password or reset a password by mail. */
export function passwordRoutes(
  app: App,
  ctx: Context,
  { passwords, limits }: { passwords: Passwords; limits: Limits },
): void {
  app.post('/api/v1/auth/password', change, async (request, reply) => {
    const { id, workspaceId, familyId } = requireMember(request)
    const { current_password, new_password } = request.body
    await limits.count('auth', `password:${id}`, reply)
    const user = await findUser(ctx.db, workspaceId, id)
    if (!user || !(await passwords.isRight(current_password, user.password_hash))) {
      throw invalidFields([{ path: '/current_password', message: 'is not the present password' }])
    }
    const passwordHash = await passwords.hash(new_password)
    const actor = actorOf(request)
    if (!(await changePassword(ctx, user, { passwordHash, familyId, actor }))) {
      throw new AppError(
        'conflict',
        'Another request changed the password. Sign in with the new password.',
      )
    }
    return reply.code(204).send(null)
  })

  app.post('/api/v1/auth/password/reset', reset, async (request, reply) => {
    const { email } = request.body
    await limits.count('auth', `reset:${clientNetwork(request)}`, reply)
    const user = await findUserByEmail(ctx.db, email)
    const isKnown = await isKnownNetwork(ctx, user, clientBlock(request))
    // Strangers cannot use up what the user asks for at home or at work.
    if (!isKnown) await limits.count('auth', `reset-email:${email}`, reply)
    await requestPasswordReset(ctx, { email, isLimited: !isKnown })
    return reply.code(202).send({ status: 'accepted' as const })
  })

  app.post('/api/v1/auth/password/reset/confirm', confirm, async (request, reply) => {
    const { token, new_password } = request.body
    await limits.count('auth', `confirm:${clientNetwork(request)}`, reply)
    await confirmReset(ctx, passwords, {
      token,
      newPassword: new_password,
      address: clientBlock(request),
    })
    return reply.code(204).send(null)
  })
}
