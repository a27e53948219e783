import type { Context, Transaction } from '../context.ts'
import type { DataOf } from '../events/registry.ts'
import { DAY_MS } from '../lib/durations.ts'
import { privacyOf } from '../tenants/tenants.ts'
import { deleteMemberInputs, deleteRunInputs, listTenantsWithRetention } from './store.ts'

const RUN_INPUTS_RETENTION_MS = 30 * DAY_MS

/**
 * Deletes the inputs of runs whose retention has ended: 30 days, or the shortest retention of the
 * workspace's sites. Idempotent, and safe in several processes at once.
 */
export async function expireRunInputs(ctx: Context): Promise<void> {
  const oldest = ctx.now() - RUN_INPUTS_RETENTION_MS
  await deleteRunInputs(ctx.db, { before: oldest })
  const shortest = new Map<string, number>()
  for (const tenant of await listTenantsWithRetention(ctx.db)) {
    const { retention_days: days } = privacyOf(tenant)
    if (!days) continue
    const other = shortest.get(tenant.workspace_id) ?? days
    shortest.set(tenant.workspace_id, Math.min(days, other))
  }
  for (const [workspaceId, days] of shortest) {
    const before = ctx.now() - days * DAY_MS
    if (before > oldest) await deleteRunInputs(ctx.db, { workspaceId, before, after: oldest })
  }
}

/** Deletes the inputs of a removed member's runs; the runs stay for the ledger. Idempotent. */
export async function eraseMemberInputs(
  tx: Transaction,
  _event: 'member.removed',
  { workspaceId, data }: { workspaceId: string; data: DataOf<'member.removed'> },
): Promise<void> {
  await deleteMemberInputs(tx.db, { workspaceId, userId: data.user_id })
}
