import pino from 'pino'
import type { Config } from '../server/config.ts'
import { transaction } from '../server/context.ts'
import { randomText } from '../server/lib/ids.ts'
import { systemClock } from '../server/lib/clock.ts'
import { changePassword } from '../server/platform/auth/password-resets.ts'
import { Passwords } from '../server/platform/auth/passwords.ts'
import { findUserByEmail } from '../server/platform/auth/store.ts'
import { startServer } from '../server/server.ts'
import { addOwner } from '../server/setup/owner.ts'
import { DataDirectoryLockedError } from '../server/storage/database.ts'
import { CommandError } from './command-error.ts'

const PASSWORD_LENGTH = 20

/**
 * Makes an owner, of the demo workspace or of a new one; or, for an address that has an account, sets
 * a new password and ends every session of it. Returns what to tell the person at the terminal.
 */
export async function makeOwner(config: Config, given: string): Promise<string> {
  const email = given.toLowerCase()
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new CommandError(`${given} is not an e-mail address.`)
  const password = randomText(PASSWORD_LENGTH)
  const passwords = new Passwords()
  // Any free port of this machine, without workers: the product may run beside it on Postgres.
  const own: Config = { ...config, host: '127.0.0.1', port: 0, role: 'api', owner: undefined }
  const log = pino({ level: 'silent' })
  const server = await startServer(own, { clock: systemClock, log, passwords }).catch(
    (error: unknown) => {
      if (!(error instanceof DataDirectoryLockedError)) throw error
      throw new CommandError(`A process uses ${config.dataDir}. Stop it first.`, { cause: error })
    },
  )
  try {
    const { ctx } = server
    const known = await findUserByEmail(ctx.db, email)
    const passwordHash = await passwords.hash(password)
    if (!known) {
      await transaction(ctx, (tx) => addOwner(tx, { email, name: '', passwordHash }))
      return `${email} is an owner now. Password: ${password}`
    }
    const change = { passwordHash, familyId: undefined, actor: { kind: 'operator' as const } }
    if (!(await changePassword(ctx, known, change))) {
      throw new CommandError('The password was changed by somebody else at this moment. Try again.')
    }
    return `${email} is signed out everywhere. New password: ${password}`
  } finally {
    await server.stop()
  }
}
