import { type Context, type Transaction, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { PLANS, type PlanId } from '../platform/auth/plans.ts'
import { findWorkspace } from '../platform/auth/store.ts'
import { countFacts, findFact, findFacts, listFacts, upsertFact } from './store.ts'

const MAX_FACTS = 500
const MAX_LOADED_FACTS = 50
/** In UTF-16 units. */
const MAX_FACTS_LENGTH = 4_000

/** Saves a fact under its key. Idempotent. Throws 409 for a workspace with `MAX_FACTS` facts. */
export async function saveFact(
  ctx: Context,
  workspaceId: string,
  { key, value }: { key: string; value: string },
): Promise<{ key: string; value: string; updatedAt: number }> {
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    const isNew = !(await findFact(tx.db, workspaceId, key))
    if (isNew && (await countFacts(tx.db, workspaceId)) >= MAX_FACTS) {
      throw new AppError('conflict', `A workspace keeps at most ${MAX_FACTS} facts.`)
    }
    await upsertFact(tx.db, { workspaceId, key, value, now })
  })
  return { key, value, updatedAt: now }
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
 * Returns the first facts of a workspace, up to a model's budget; none on a plan without memory.
 */
export async function loadAllFacts(
  ctx: Context,
  workspaceId: string,
): Promise<Record<string, string>> {
  const workspace = await findWorkspace(ctx.db, workspaceId)
  if (!workspace || !PLANS[workspace.plan].features.includes('memory')) return {}
  const rows = await listFacts(ctx.db, workspaceId, { after: '', limit: MAX_LOADED_FACTS })
  const facts: Record<string, string> = {}
  let length = 0
  for (const { key, value } of rows) {
    length += key.length + value.length
    if (length > MAX_FACTS_LENGTH) break
    facts[key] = value
  }
  return facts
}
