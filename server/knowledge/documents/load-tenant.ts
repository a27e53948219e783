import { z } from 'zod'
import type { Context } from '../../context.ts'
import { assertOwned } from '../../http/errors.ts'
import type { UserCaller } from '../../platform/auth/authenticator.ts'
import type { KnowledgeRef } from './documents.ts'
import { findTenantPlace } from './store.ts'

export const TenantPath = z.object({ tenant_id: z.string().max(64) })

/** Returns a tenant of the caller's workspace. Throws 404 for an unknown tenant, 403 for a foreign one. */
export async function loadTenant(
  ctx: Context,
  caller: UserCaller,
  tenantId: string,
): Promise<KnowledgeRef> {
  const row = await findTenantPlace(ctx.db, tenantId)
  assertOwned(row?.workspace_id, caller.workspaceId, 'tenant')
  return { workspaceId: caller.workspaceId, tenantId, version: row?.knowledge_version ?? 0 }
}
