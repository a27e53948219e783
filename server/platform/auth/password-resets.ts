import { type Context, transaction } from '../../context.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { sendPasswordChangedMail, sendResetMail } from './account-mails.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Passwords } from './passwords.ts'
import {
  countResets,
  deleteOldResets,
  deleteResetsOf,
  endFamilies,
  findResetUser,
  insertReset,
  lockUser,
  consumeReset,
  updatePassword,
} from './store.accounts.ts'
import { type UserRow, findUserByEmail, findWorkspace } from './store.ts'
import { unauthenticated } from './tokens.ts'

const LIFE_MS = 30 * 60_000
/** Nobody's mailbox is filled by somebody else's clicks. */
const MAX_AT_ONCE = 5
/** About as long as a mail is once it is sealed. */
const PADDING = 'x'.repeat(900)

/**
 * Mails a way back in to the user of an e-mail address. For an address that nobody has, it does
 * as much and mails nothing, so that neither answer nor time tells which it was.
 */
export async function requestPasswordReset(ctx: Context, email: string): Promise<void> {
  const token = newToken()
  const digest = digestOf(token)
  await transaction(ctx, async (tx) => {
    const now = tx.now()
    const user = await findUserByEmail(tx.db, email)
    const workspace = await findWorkspace(tx.db, user?.workspace_id ?? '')
    const asked = await countResets(tx.db, user?.id ?? '', now)
    const times = { created_at: now, expires_at: now + LIFE_MS }
    if (!user || !workspace || asked >= MAX_AT_ONCE) {
      const padding = tx.secrets.encrypt(PADDING, digest)
      await insertReset(tx.db, { digest, user_id: null, padding: null, ...times })
      await insertReset(tx.db, { digest: digestOf(digest), user_id: null, padding, ...times })
      return
    }
    await insertReset(tx.db, { digest, user_id: user.id, padding: null, ...times })
    const { locale, id: workspaceId } = workspace
    await sendResetMail(tx, { workspaceId, locale, to: user.email, name: user.name }, token)
  })
}

/** Sets a new password with a token from a mail, once, and ends every login of the user. */
export async function confirmReset(
  ctx: Context,
  passwords: Passwords,
  given: { token: string; newPassword: string; address: string },
): Promise<void> {
  const digest = digestOf(given.token)
  const wrong = () =>
    unauthenticated('This link was used already, or is too old. Ask for a new one.')
  if (!(await findResetUser(ctx.db, digest, ctx.now()))) throw wrong()
  const passwordHash = await passwords.hash(given.newPassword)
  await transaction(ctx, async (tx) => {
    const user = await findResetUser(tx.db, digest, tx.now())
    if (!user || !(await consumeReset(tx.db, digest, tx.now()))) throw wrong()
    const person = { id: user.id, workspaceId: user.workspace_id }
    await updatePassword(tx.db, person, passwordHash)
    await deleteResetsOf(tx.db, user.id)
    await endFamilies(tx.db, person, { at: tx.now() })
    const workspace = await findWorkspace(tx.db, user.workspace_id)
    const { email: to, name } = user
    await sendPasswordChangedMail(tx, { ...person, locale: workspace?.locale ?? 'en', to, name })
    await recordAudit(tx, user.workspace_id, {
      actor: { kind: 'user', userId: user.id, address: given.address },
      action: 'password.reset',
    })
    tx.afterCommit.push(() => tx.streams.checkNow())
  })
}

/** Changes a password in person, and ends every login of the user but the one that asks. */
export async function changePassword(
  ctx: Context,
  user: UserRow,
  change: { passwordHash: string; familyId: string | undefined; actor: Actor },
): Promise<boolean> {
  const person = { id: user.id, workspaceId: user.workspace_id }
  return transaction(ctx, async (tx) => {
    if (!(await lockUser(tx.db, { ...person, passwordHash: user.password_hash }))) return false
    await updatePassword(tx.db, person, change.passwordHash)
    await deleteResetsOf(tx.db, user.id)
    await endFamilies(tx.db, person, { at: tx.now(), except: change.familyId })
    const workspace = await findWorkspace(tx.db, user.workspace_id)
    const { email: to, name } = user
    await sendPasswordChangedMail(tx, { ...person, locale: workspace?.locale ?? 'en', to, name })
    await recordAudit(tx, user.workspace_id, { actor: change.actor, action: 'password.changed' })
    tx.afterCommit.push(() => tx.streams.checkNow())
    return true
  })
}

/** Forgets ways back in that are too old. */
export async function expireResets(ctx: Context): Promise<void> {
  await deleteOldResets(ctx.db, ctx.now())
}
