import { findIdentity } from '../chat/visitor/store.identities.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { Context } from '../context.ts'

/** Returns the `sub` that the site has signed for a session's visitor; null for anybody else. */
export async function findVerifiedVisitor(
  ctx: Context,
  session: SessionRow,
): Promise<string | null> {
  if (session.visitor_id === null) return null
  const identity = await findIdentity(ctx.db, session.workspace_id, session.visitor_id)
  const isOwn = identity?.tenant_id === session.tenant_id && identity.verified_at !== null
  return isOwn ? identity.subject : null
}
