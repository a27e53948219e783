import type { Context } from '../context.ts'
import { SECOND_MS } from '../lib/durations.ts'
import { settleWithin } from '../lib/timeout.ts'
import type { TenantRef } from './documents/documents.ts'
import { findTenantPlace } from './documents/store.ts'

/** Few: with homes, a process also warms tenants that other processes answer for. */
const MAX_TENANTS = 20
const STOP_TIMEOUT_MS = SECOND_MS

/** Returns the tenants with the newest conversations, the newest first. */
type ListTenants = (limit: number) => Promise<readonly TenantRef[]>

/**
 * Starts to load or build the search indexes of the tenants with the newest conversations, one after the other,
 * so that the first questions after a start find them; before, `prepareAnswers` runs where there is such a tenant. `stop` lets no further one begin, and waits up to a second
 * for the running one.
 */
export function startWarmUp(
  ctx: Context,
  listTenants: ListTenants,
  prepareAnswers: () => void,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const running = warmAll(ctx, { listTenants, prepareAnswers }, stopped.signal)
  return {
    stop() {
      stopped.abort()
      return settleWithin(STOP_TIMEOUT_MS, [running])
    },
  }
}

async function warmAll(
  ctx: Context,
  { listTenants, prepareAnswers }: { listTenants: ListTenants; prepareAnswers: () => void },
  signal: AbortSignal,
): Promise<void> {
  try {
    const tenants = await listTenants(MAX_TENANTS)
    if (tenants.length > 0 && !signal.aborted) prepareAnswers()
    for (const tenant of tenants) {
      if (signal.aborted) return
      await warmTenant(ctx, tenant)
    }
  } catch (error) {
    if (signal.aborted || ctx.outage.note(error)) return
    ctx.log.warn({ event: 'knowledge.warm_up_failed', err: error }, 'warm-up of indexes failed')
  }
}

/** A failure belongs to the first question, which meets it again and answers for it. */
async function warmTenant(ctx: Context, { workspaceId, tenantId }: TenantRef): Promise<void> {
  try {
    const place = await findTenantPlace(ctx.db, tenantId)
    // The tenant may have been removed since.
    if (place?.workspace_id !== workspaceId) return
    await ctx.indexes.warm(ctx, { workspaceId, tenantId, version: place.knowledge_version })
  } catch (error) {
    ctx.log.debug(
      { event: 'knowledge.warm_up_failed', tenant: tenantId, err: error },
      'warm-up of an index failed',
    )
  }
}
