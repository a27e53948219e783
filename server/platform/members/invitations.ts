import { type Context, transaction } from '../../context.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import type { Role } from '../../http/access.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { newId } from '../../lib/ids.ts'
import { digestOf, newToken } from '../../lib/one-time-token.ts'
import { countMemberMail, sendInvitationMail } from '../auth/account-mails.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { UserCaller } from '../auth/authenticator.ts'
import { assertMayManageOwners } from './members.ts'
import type { Passwords } from '../auth/passwords.ts'
import {
  type InvitationRow,
  type MemberRow,
  countInvitations,
  deleteOldInvitations,
  findInvitation,
  findInvitationByToken,
  lockMembers,
  saveInvitation,
  consumeInvitation,
} from './store.ts'
import {
  type NewUser,
  findUser,
  findUserByEmail,
  findWorkspace,
  insertUser,
} from '../auth/store.ts'
import { reserveQuota } from '../../quotas/quotas.ts'
import { unauthenticated } from '../auth/tokens.ts'

const INVITATION_TTL_MS = 7 * DAY_MS
/** How long an expired invitation stays in the list. */
const INVITATION_RETENTION_MS = 30 * DAY_MS
const MAX_OPEN = 100

/**
 * Invites a person by mail. A repeated invitation replaces the link of the earlier one. Throws 403
 * when an admin invites an owner, 409 for a member of the workspace, 429 at a limit of mails, and 402
 * without a free seat.
 */
export async function inviteMember(
  ctx: Context,
  caller: UserCaller,
  invited: { email: string; name: string; role: Role; actor: Actor },
): Promise<MemberRow> {
  const token = newToken()
  const { workspaceId } = caller
  const { email, name, role } = invited
  return transaction(ctx, async (tx) => {
    await lockMembers(tx.db, workspaceId)
    const before = await findInvitation(tx.db, workspaceId, { email })
    assertMayManageOwners(caller, [role, before?.role])
    const workspace = await findWorkspace(tx.db, workspaceId)
    const inviter = await findUser(tx.db, workspaceId, caller.id)
    if (!workspace || !inviter) throw unauthenticated('The session behind this token has ended.')
    // Only the invited person, who opens the link in the mail, learns of an account elsewhere.
    const user = await findUserByEmail(tx.db, email)
    if (user?.workspace_id === workspaceId) {
      throw new AppError('conflict', 'This person is already a member of the workspace.')
    }
    if (!before && (await countInvitations(tx.db, workspaceId)) >= MAX_OPEN) {
      throw new AppError('conflict', `There are ${MAX_OPEN} open invitations. Withdraw some.`)
    }
    await countMemberMail(tx, { workspaceId, plan: workspace.plan, to: email })
    const now = tx.now()
    const hasSeat = before !== undefined && before.expires_at > now
    if (!hasSeat) await reserveQuota(tx, workspaceId, { members: 1 })
    const row: InvitationRow = {
      id: before?.id ?? newId('inv'),
      workspace_id: workspaceId,
      email,
      name,
      role,
      digest: digestOf(token),
      created_at: before?.created_at ?? now,
      expires_at: now + INVITATION_TTL_MS,
    }
    await saveInvitation(tx.db, row)
    await sendInvitationMail(
      tx,
      { workspaceId, locale: workspace.locale, to: email, name },
      { inviter, workspace: workspace.name, role, token },
    )
    await recordAudit(tx, workspaceId, {
      actor: invited.actor,
      action: 'member.invited',
      subject: { type: 'invitation', id: row.id },
      details: { email, role },
    })
    return row
  })
}

/**
 * Consumes an invitation and creates the member. Throws 401 for an expired or consumed link, and 409
 * when the e-mail address is taken, and 402 when a change of the plan took the seat.
 */
export async function acceptInvitation(
  ctx: Context,
  passwords: Passwords,
  given: { token: string; name: string | undefined; password: string; address: string },
): Promise<MemberRow> {
  const wrong = () =>
    unauthenticated('This invitation was used already, or is too old. Ask for a new one.')
  const digest = digestOf(given.token)
  const found = await findInvitationByToken(ctx.db, digest, ctx.now())
  if (!found) throw wrong()
  const name = given.name ?? found.name
  if (!name) throw invalidFields([{ path: '/name', message: 'is required' }])
  await ctx.suspensions.assertActive(found.workspace_id)
  const passwordHash = await passwords.hash(given.password)
  return transaction(ctx, async (tx) => {
    const invitation = await findInvitationByToken(tx.db, digest, tx.now())
    if (!invitation || !(await consumeInvitation(tx.db, invitation.workspace_id, invitation.id))) {
      throw wrong()
    }
    const { workspace_id, email, role } = invitation
    await reserveQuota(tx, workspace_id, { members: 1 })
    const user: NewUser = {
      id: newId('usr'),
      workspace_id,
      email,
      name,
      role,
      password_hash: passwordHash,
      created_at: tx.now(),
    }
    if (!(await insertUser(tx.db, user))) {
      throw new AppError('conflict', 'An account with this e-mail address already exists.')
    }
    await recordAudit(tx, workspace_id, {
      actor: { kind: 'user', userId: user.id, address: given.address },
      action: 'member.joined',
      subject: { type: 'user', id: user.id },
      details: { role },
    })
    return { ...user, expires_at: null }
  })
}

/** Deletes unused invitations a month after their expiry. */
export async function expireInvitations(ctx: Context): Promise<void> {
  await deleteOldInvitations(ctx.db, ctx.now() - INVITATION_RETENTION_MS)
}
