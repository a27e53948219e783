import { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { findRule, type RuleRow } from './store.ts'

export const RulePath = z.object({ id: z.string().max(64) })

/** Loads the caller's rule. Throws 404 for an unknown or deleted one, 403 for another workspace's. */
export async function loadRule(ctx: Context, caller: UserCaller, id: string): Promise<RuleRow> {
  const rule = await loadRuleOrHistory(ctx, caller, id)
  if (rule.deleted_at !== null) throw new AppError('not_found', 'This rule does not exist.')
  return rule
}

/** Loads the caller's rule, also a deleted one, whose deliveries stay readable. Throws 404, 403. */
export async function loadRuleOrHistory(
  ctx: Context,
  caller: UserCaller,
  id: string,
): Promise<RuleRow> {
  const rule = await findRule(ctx.db, id)
  assertOwned(rule?.workspace_id, caller.workspaceId, 'rule')
  if (!rule) throw new AppError('not_found', 'This rule does not exist.')
  return rule
}
