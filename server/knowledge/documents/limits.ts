import type { Transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { describeExceeded, findExceededQuota, reserveQuota } from '../../quotas/quotas.ts'
import { lockKnowledge, measureKnowledge } from './store.ts'

/** Of one tenant: its search index is in memory, some 15 KB for a passage, and is rebuilt. */
export const MAX_DOCUMENTS = 3_000
export const MAX_PASSAGES = 20_000

/**
 * Returns how many documents and passages a tenant can still add. Locks the tenant's knowledge until
 * the transaction ends, so that concurrent additions cannot exceed the limit together.
 */
export async function remainingCapacity(
  tx: Transaction,
  tenant: { workspaceId: string; tenantId: string },
): Promise<{ documents: number; passages: number }> {
  await lockKnowledge(tx.db, tenant.workspaceId, tenant.tenantId)
  const used = await measureKnowledge(tx.db, tenant.workspaceId, tenant.tenantId)
  return {
    documents: MAX_DOCUMENTS - used.documents,
    passages: MAX_PASSAGES - used.passages,
  }
}

const TOO_MANY_PASSAGES = `A tenant's knowledge may have ${MAX_PASSAGES} passages; this document would exceed it. Remove others first.`

/** The increase that a document causes; negative where it shrinks. */
export interface KnowledgeIncrease {
  documents: number
  passages: number
  bytes: number
}

/**
 * Locks the tenant's knowledge. Throws 409 when the addition exceeds the limits of a tenant, and 402
 * when it exceeds a quota of the plan.
 */
export async function assertCapacity(
  tx: Transaction,
  tenant: { workspaceId: string; tenantId: string },
  more: KnowledgeIncrease,
): Promise<void> {
  const capacity = await remainingCapacity(tx, tenant)
  if (more.documents > capacity.documents) {
    throw new AppError(
      'conflict',
      `A tenant can have at most ${MAX_DOCUMENTS} documents. Remove others first.`,
    )
  }
  if (more.passages > capacity.passages) throw new AppError('conflict', TOO_MANY_PASSAGES)
  const { passages, bytes } = more
  await reserveQuota(tx, tenant.workspaceId, { passages, stored_bytes: bytes })
}

/**
 * Returns why a document that was read cannot be stored, for its `error`; undefined when it fits.
 * Locks like `assertCapacity`.
 */
export async function findCapacityProblem(
  tx: Transaction,
  tenant: { workspaceId: string; tenantId: string },
  more: Omit<KnowledgeIncrease, 'documents'>,
): Promise<string | undefined> {
  const capacity = await remainingCapacity(tx, tenant)
  if (more.passages > capacity.passages) return TOO_MANY_PASSAGES
  const { passages, bytes } = more
  const increase = { passages, stored_bytes: bytes }
  const exceeded = await findExceededQuota(tx, tenant.workspaceId, increase)
  return exceeded && describeExceeded(exceeded)
}
