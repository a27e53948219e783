import { type Context, type Transaction, transaction } from '../context.ts'
import { findTenantOwner } from '../tenants/store.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { PLANS, type PlanId } from '../platform/auth/plans.ts'
import { findWorkspace } from '../platform/auth/store.ts'
import type { NewFact } from './schema.ts'
import {
  type FactRow,
  countFacts,
  findFact,
  findFacts,
  listPublicFacts,
  upsertFact,
} from './store.ts'

const MAX_FACTS = 500
const MAX_LOADED_FACTS = 50
/** In UTF-16 units. */
const MAX_FACTS_LENGTH = 4_000

/**
 * Saves a fact under its key, in place of an earlier one. Throws 404 and 403 for a tenant that is not
 * the workspace's, and 409 for a workspace with `MAX_FACTS` facts.
 */
export async function saveFact(
  ctx: Context,
  workspaceId: string,
  { key, value, tenant_id, public: isPublic }: NewFact & { key: string },
): Promise<FactRow> {
  const now = ctx.now()
  const row: FactRow = {
    workspace_id: workspaceId,
    key,
    value,
    tenant_id,
    is_public: isPublic ? 1 : 0,
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    if (tenant_id !== null) {
      assertOwned(await findTenantOwner(tx.db, tenant_id), workspaceId, 'tenant')
    }
    const isNew = !(await findFact(tx.db, workspaceId, key))
    if (isNew && (await countFacts(tx.db, workspaceId)) >= MAX_FACTS) {
      throw new AppError(
        'conflict',
        `A workspace can have at most ${MAX_FACTS} facts. Delete others first.`,
      )
    }
    await upsertFact(tx.db, row)
  })
  return row
}

/** Returns the named facts by key; none on a plan without memory. */
export async function loadFacts(
  ctx: Context | Transaction,
  workspace: { id: string; plan: PlanId },
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0 || !PLANS[workspace.plan].features.includes('memory')) return new Map()
  const rows = await findFacts(ctx.db, workspace.id, keys)
  return new Map(rows.map((row) => [row.key, row.value]))
}

/**
 * Returns the facts that an answer to a tenant's visitor may use: the public ones of this tenant or of
 * none, up to a model's budget; none on a plan without memory.
 */
export async function loadPublicFacts(
  ctx: Context,
  tenant: { id: string; workspace_id: string },
): Promise<Record<string, string>> {
  const workspaceId = tenant.workspace_id
  const workspace = await findWorkspace(ctx.db, workspaceId)
  if (!workspace || !PLANS[workspace.plan].features.includes('memory')) return {}
  const page = { workspaceId, tenantId: tenant.id, limit: MAX_LOADED_FACTS }
  const rows = await listPublicFacts(ctx.db, page)
  const facts: Record<string, string> = {}
  let length = 0
  for (const { key, value } of rows) {
    length += key.length + value.length
    if (length > MAX_FACTS_LENGTH) break
    facts[key] = value
  }
  return facts
}
