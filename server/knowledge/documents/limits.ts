import type { Transaction } from '../../context.ts'
import { AppError } from '../../http/errors.ts'
import { lockKnowledge, measureKnowledge } from './store.ts'

/** Of one tenant: its search index is in memory, some 15 KB for a passage, and is built anew. */
export const MAX_DOCUMENTS = 3_000
export const MAX_PASSAGES = 20_000

/**
 * What can still be added to a tenant's knowledge. Locks it, so that two calls at once cannot
 * both take the last place.
 */
export async function remainingCapacity(
  tx: Transaction,
  place: { workspaceId: string; tenantId: string },
): Promise<{ documents: number; passages: number }> {
  await lockKnowledge(tx.db, place.workspaceId, place.tenantId)
  const taken = await measureKnowledge(tx.db, place.workspaceId, place.tenantId)
  return {
    documents: MAX_DOCUMENTS - taken.documents,
    passages: MAX_PASSAGES - taken.passages,
  }
}

export const TOO_MANY_PASSAGES = `A tenant's knowledge may have ${MAX_PASSAGES} passages; this document would exceed it. Remove others first.`

/** Throws 409 when a document with so many passages does not fit any more. */
export async function assertCapacity(
  tx: Transaction,
  place: { workspaceId: string; tenantId: string },
  more: { documents: number; passages: number },
): Promise<void> {
  const room = await remainingCapacity(tx, place)
  if (more.documents > room.documents) {
    throw new AppError(
      'conflict',
      `A tenant's knowledge may have ${MAX_DOCUMENTS} documents. Remove others first.`,
    )
  }
  if (more.passages > room.passages) throw new AppError('conflict', TOO_MANY_PASSAGES)
}
