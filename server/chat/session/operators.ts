import type { Context, Transaction } from '../../context.ts'
import type { Person } from '../../live/schema.ts'
import { findMemberName } from '../../platform/members/store.ts'
import { findTenant } from '../../tenants/tenants.ts'
import type { SessionRow } from './store.ts'
import { chatStrings } from './strings.ts'

/**
 * Returns an operator as visitors of a session see one; null for no member. Without a name, or with
 * an e-mail address for one, visitors read the name of the site and "team", in their language.
 */
export async function findOperator(
  ctx: Context | Transaction,
  session: Pick<SessionRow, 'workspace_id' | 'tenant_id' | 'locale'>,
  userId: string | null,
): Promise<Person | null> {
  const member = await findMemberName(ctx.db, session.workspace_id, userId)
  if (!member || (member.name !== '' && !member.name.includes('@'))) return member
  const tenant = await findTenant(ctx.db, session.tenant_id)
  return { ...member, name: chatStrings(session.locale).team(tenant?.name ?? '') }
}
