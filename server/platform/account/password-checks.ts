import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { invalidFields } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { requireMember } from '../auth/authenticator.ts'
import type { Passwords } from '../auth/passwords.ts'
import { type UserRow, findUser } from '../auth/store.ts'

/** Asks signed-in members for their password again. */
export interface PasswordChecks {
  /** Returns the caller. Throws 422 for a wrong password, and 429 for too many calls. */
  requirePassword(request: FastifyRequest, reply: FastifyReply, password: string): Promise<UserRow>
  /** Counts a call that guesses. Throws 429 for too many. */
  countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Counts with the number of the pool `auth`, per user, as the change of a password does. */
export function openPasswordChecks(
  ctx: Context,
  { passwords, limits }: { passwords: Passwords; limits: Limits },
): PasswordChecks {
  async function countGuess(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await limits.count('auth', `password:${requireMember(request).id}`, reply)
  }
  return {
    countGuess,
    async requirePassword(request, reply, password) {
      await countGuess(request, reply)
      const { id, workspaceId } = requireMember(request)
      const user = await findUser(ctx.db, workspaceId, id)
      if (!user || !(await passwords.isRight(password, user.password_hash))) {
        throw invalidFields([{ path: '/password', message: 'is not your password' }])
      }
      return user
    },
  }
}
