import { z } from 'zod'
import type { Context } from '../../context.ts'
import { assertOwned } from '../../http/errors.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import type { KnowledgeRef } from './documents.ts'
import { findTenantPlace } from './store.ts'

export const TenantPath = z.object({ tenant_id: z.string().max(64) })

/** A tenant of the caller's workspace. Throws 404 for an unknown one, 403 for somebody else's. */
export async function loadTenant(
  ctx: Context,
  caller: UserCaller,
  tenantId: string,
): Promise<KnowledgeRef> {
  const place = await findTenantPlace(ctx.db, tenantId)
  assertOwned(place?.workspace_id, caller.workspaceId, 'tenant')
  return { workspaceId: caller.workspaceId, tenantId, version: place?.knowledge_version ?? 0 }
}
