import { type Context, transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import {
  countMemberMail,
  sendEmailChangeMail,
  sendEmailChangedMail,
  sendEmailInUseMail,
} from '../auth/account-mails.ts'
import {
  consumeEmailChange,
  deleteOldEmailChanges,
  deleteResetsOf,
  saveEmailChange,
} from '../auth/store.accounts.ts'
import { type UserRow, findUserByEmail, findWorkspace, getWorkspace } from '../auth/store.ts'
import { unauthenticated } from '../auth/tokens.ts'
import { findUserById, updateEmail } from './store.ts'

const EMAIL_CHANGE_TTL_MS = DAY_MS

/**
 * Mails a link to the address that a user wants; a later call replaces an earlier one. Where the address
 * belongs to an account, its owner is told instead, and the caller learns nothing: the work and the
 * answer are the same. Throws 409 for the user's own address, and 429 at a limit of mails.
 */
export async function requestEmailChange(
  ctx: Context,
  user: UserRow,
  { email, actor }: { email: string; actor: Actor },
): Promise<void> {
  if (email === user.email) throw new AppError('conflict', 'This is your address already.')
  const token = newToken()
  await transaction(ctx, async (tx) => {
    const workspaceId = user.workspace_id
    const { plan } = await getWorkspace(tx.db, workspaceId)
    await countMemberMail(tx, { workspaceId, plan, to: email })
    const owner = await findUserByEmail(tx.db, email)
    await saveEmailChange(tx.db, {
      user_id: user.id,
      email,
      digest: digestOf(token),
      expires_at: tx.now() + EMAIL_CHANGE_TTL_MS,
    })
    const reader = owner ?? user
    const workspace = await getWorkspace(tx.db, reader.workspace_id)
    const to = {
      workspaceId,
      locale: reader.locale ?? workspace.locale,
      to: email,
      name: reader.name,
    }
    if (owner) await sendEmailInUseMail(tx, to)
    else await sendEmailChangeMail(tx, to, token)
    await recordAudit(tx, workspaceId, { actor, action: 'email.change_requested' })
  })
}

/**
 * Consumes the token of a mailed link and changes the address; the old one is notified, and links that
 * were mailed there stop working. Throws 401 for a used or expired token, and 409 for an address that
 * somebody has taken since.
 */
export async function confirmEmailChange(
  ctx: Context,
  { token, address }: { token: string; address: string },
): Promise<string> {
  const done = transaction(ctx, async (tx) => {
    const change = await consumeEmailChange(tx.db, digestOf(token), tx.now())
    const user = change && (await findUserById(tx.db, change.user_id))
    if (!change || !user) {
      throw unauthenticated('This link was used already, or is too old. Ask for a new one.')
    }
    const { id, workspace_id: workspaceId, email: to, name } = user
    if (await findUserByEmail(tx.db, change.email)) throw addressTaken()
    await updateEmail(tx.db, user, change.email)
    await deleteResetsOf(tx.db, id)
    const workspace = await findWorkspace(tx.db, workspaceId)
    const locale = user.locale ?? workspace?.locale ?? 'en'
    await sendEmailChangedMail(tx, { workspaceId, locale, to, name }, change.email)
    await recordAudit(tx, workspaceId, {
      actor: { kind: 'user', userId: id, address },
      action: 'email.changed',
    })
    return change.email
  })
  return done.catch((error: unknown) => {
    throw isUniqueViolation(error) ? addressTaken() : error
  })
}

/** Two people confirmed the same address at the same moment. */
function isUniqueViolation(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** Forgets changes of addresses that were not confirmed in time. Idempotent. */
export async function expireEmailChanges(ctx: Context): Promise<void> {
  await deleteOldEmailChanges(ctx.db, ctx.now())
}

function addressTaken(): AppError {
  return new AppError('conflict', 'An account with this e-mail address already exists.')
}
