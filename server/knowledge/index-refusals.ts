import { type Context, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import type { KnowledgeRef, TenantRef } from './documents/documents.ts'
import { lockKnowledge, markUnsearchable } from './documents/store.ts'

/** A refused tenant can cause a build again after this time, once its knowledge has changed. */
const REFUSAL_TTL_MS = 30_000
const RETRY_AFTER_SECONDS = 60

/** The tenants whose knowledge is too large to be searched. */
export class IndexRefusals {
  readonly #refusals = new Map<string, { version: number; until: number }>()

  /** Throws 503 `overloaded` for a refused tenant, until its knowledge has changed and some time is over. */
  assertNone(ctx: Context, tenant: KnowledgeRef): void {
    const key = keyOf(tenant)
    const refusal = this.#refusals.get(key)
    if (!refusal) return
    if (tenant.version > refusal.version && ctx.now() >= refusal.until) this.#refusals.delete(key)
    else throw unsearchable()
  }

  /** Remembers the refusal, and shows it in the tenant's documents; returns the error for the caller. */
  async add(ctx: Context, tenant: KnowledgeRef, cause: unknown): Promise<AppError> {
    const { workspaceId, tenantId, version } = tenant
    this.#refusals.set(keyOf(tenant), { version, until: ctx.now() + REFUSAL_TTL_MS })
    const log = ctx.log
    log.warn(
      { tenant: tenantId, event: 'knowledge.index_refused' },
      'search index build was refused',
    )
    try {
      await transaction(ctx, async (tx) => {
        await lockKnowledge(tx.db, workspaceId, tenantId)
        await markUnsearchable(tx.db, workspaceId, tenantId)
      })
    } catch (error) {
      log.error({ err: error, event: 'knowledge.index_refusal_failed' }, 'refusal update failed')
    }
    return unsearchable(cause)
  }
}

function keyOf({ workspaceId, tenantId }: TenantRef): string {
  return `${workspaceId} ${tenantId}`
}

function unsearchable(cause?: unknown): AppError {
  const detail =
    "The knowledge of this tenant is too large to be searched. Remove documents, or ask for the installation's memory to be raised."
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return new AppError('overloaded', detail, { headers, cause })
}
