import type { Transaction } from '../context.ts'
import { retryDeadLetter } from '../delivery/queue/manual-retry.ts'
import { AppError } from '../http/errors.ts'
import { findRule } from './store.ts'

/**
 * Sends a dead letter of a rule again: a new cycle under the same id. Throws 409 for a delivery that
 * is no dead letter any more, and for a rule that is switched off or deleted.
 */
export async function retryRuleDeadLetter(
  tx: Transaction,
  letter: { id: string; workspaceId: string; ruleId: string },
): Promise<void> {
  const { id, workspaceId, ruleId } = letter
  const rule = await findRule(tx.db, ruleId)
  if (!rule || rule.deleted_at !== null) {
    throw new AppError('conflict', 'The rule of this delivery was deleted.')
  }
  if (rule.disabled_at !== null) {
    throw new AppError('conflict', 'The rule of this delivery is switched off. Switch it on first.')
  }
  const isQueued = await retryDeadLetter(tx, { id, workspaceId, family: 'chat' })
  if (!isQueued) throw new AppError('conflict', 'This delivery is not a dead letter.')
}
