import { type Context, type Transaction, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import type { Role } from '../../http/access.ts'
import { AppError, assertOwned } from '../../http/errors.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { UserCaller } from '../auth/authenticator.ts'
import {
  type MemberRow,
  countOwners,
  deleteUser,
  findInvitation,
  findMemberOwner,
  lockMembers,
  consumeInvitation,
  updateInvitationRole,
  updateRole,
} from './store.ts'
import { findUser } from '../auth/store.ts'

/** Throws 403 unless the caller is an owner, where one of the roles is `owner`. */
export function assertMayManageOwners(
  caller: UserCaller,
  roles: readonly (Role | undefined)[],
): void {
  if (caller.role !== 'owner' && roles.includes('owner')) {
    throw new AppError('forbidden', 'Only an owner can make, change or remove an owner.')
  }
}

/** Changes the role of a member or an invitation. Throws 409 for the last owner. */
export async function changeRole(
  ctx: Context,
  caller: UserCaller,
  { id, role, actor }: { id: string; role: Role; actor: Actor },
): Promise<MemberRow> {
  const { workspaceId } = caller
  return transaction(ctx, async (tx) => {
    const member = await lockMember(tx, workspaceId, id)
    assertMayManageOwners(caller, [role, member.role])
    if (isUser(member)) {
      if (role !== 'owner') await assertNotLastOwner(tx, workspaceId, member)
      await updateRole(tx.db, workspaceId, { id, role })
    } else {
      await updateInvitationRole(tx.db, workspaceId, { id, role })
    }
    await recordAudit(tx, workspaceId, {
      actor,
      action: 'member.role_changed',
      subject: { type: isUser(member) ? 'user' : 'invitation', id },
      details: { email: member.email, from: member.role, to: role },
    })
    return { ...member, role }
  })
}

/**
 * Removes a member: logins end, keys are destroyed, open streams are cut. Somebody who was invited
 * can no longer come. Throws 409 for the last owner.
 */
export async function removeMember(
  ctx: Context,
  caller: UserCaller,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  const { workspaceId } = caller
  await transaction(ctx, async (tx) => {
    const member = await lockMember(tx, workspaceId, id)
    assertMayManageOwners(caller, [member.role])
    await assertNotLastOwner(tx, workspaceId, member)
    await recordAudit(tx, workspaceId, {
      actor,
      action: isUser(member) ? 'member.removed' : 'invitation.withdrawn',
      subject: { type: isUser(member) ? 'user' : 'invitation', id },
      details: { email: member.email, role: member.role },
    })
    if (isUser(member)) {
      await deleteUser(tx.db, workspaceId, id)
      await emit(tx, 'member.removed', { workspaceId, data: { user_id: id } })
    } else await consumeInvitation(tx.db, workspaceId, id)
    tx.afterCommit.push(() => tx.streams.checkNow())
  })
}

/** Finds a user or an invitation, and locks the members until the commit. */
async function lockMember(tx: Transaction, workspaceId: string, id: string): Promise<MemberRow> {
  assertOwned(await findMemberOwner(tx.db, id), workspaceId, 'member')
  await lockMembers(tx.db, workspaceId)
  const user = await findUser(tx.db, workspaceId, id)
  const member = user
    ? { ...user, expires_at: null }
    : await findInvitation(tx.db, workspaceId, { id })
  if (!member) throw new AppError('not_found', 'This member does not exist.')
  return member
}

async function assertNotLastOwner(
  tx: Transaction,
  workspaceId: string,
  member: MemberRow,
): Promise<void> {
  if (!isUser(member) || member.role !== 'owner') return
  if ((await countOwners(tx.db, workspaceId)) > 1) return
  throw new AppError('conflict', 'This is the last owner. Make somebody else an owner first.')
}

function isUser(member: MemberRow): boolean {
  return member.expires_at === null
}
