import { type Context, transaction } from '../../context.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts'
import { countMail } from '../../mail/limits.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { sendPasswordChangedMail, sendResetMail } from './account-mails.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Passwords } from './passwords.ts'
import {
  countResets,
  deleteEmailChangeOf,
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

const RESET_TTL_MS = 30 * MINUTE_MS
/** The limit keeps strangers from filling a user's mailbox. */
const MAX_OPEN_RESETS = 5
/** Mails of a day that requests from networks unknown to the user cause. */
const MAX_OF_STRANGERS = 20
/** About as long as an encrypted mail. */
const PADDING = 'x'.repeat(900)

/**
 * Queues a mail with a reset link for the user of an e-mail address. For an unknown address the same
 * amount of work is done without a mail, so that neither response nor time reveals the difference.
 * `isLimited`: the request is from a network that is unknown to the user, and counts against the day.
 */
export async function requestPasswordReset(
  ctx: Context,
  { email, isLimited }: { email: string; isLimited: boolean },
): Promise<void> {
  const token = newToken()
  const digest = digestOf(token)
  await transaction(ctx, async (tx) => {
    const now = tx.now()
    const user = await findUserByEmail(tx.db, email)
    const workspace = await findWorkspace(tx.db, user?.workspace_id ?? '')
    const openResets = await countResets(tx.db, user?.id ?? '', now)
    const daily = { of: `resets ${email}`, max: MAX_OF_STRANGERS, ms: DAY_MS }
    const isFull = isLimited && (await countMail(tx, [daily])) > 0
    const times = { created_at: now, expires_at: now + RESET_TTL_MS }
    if (!user || !workspace || isFull || openResets >= MAX_OPEN_RESETS) {
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

/** Consumes a reset token, sets a new password and ends every login of the user. Throws 401. */
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
    // An intruder with the former password may have requested another address.
    await deleteEmailChangeOf(tx.db, user.id)
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

/** Changes a password and ends every other login of the user. Returns false when the password changed
 * at the same time. */
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
    // An intruder with the former password may have requested another address.
    await deleteEmailChangeOf(tx.db, user.id)
    await endFamilies(tx.db, person, { at: tx.now(), except: change.familyId })
    const workspace = await findWorkspace(tx.db, user.workspace_id)
    const { email: to, name } = user
    await sendPasswordChangedMail(tx, { ...person, locale: workspace?.locale ?? 'en', to, name })
    await recordAudit(tx, user.workspace_id, { actor: change.actor, action: 'password.changed' })
    tx.afterCommit.push(() => tx.streams.checkNow())
    return true
  })
}

/** Deletes expired resets. Idempotent. */
export async function expireResets(ctx: Context): Promise<void> {
  await deleteOldResets(ctx.db, ctx.now())
}
