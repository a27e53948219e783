import { type Context, type Transaction, transaction } from '../context.ts'
import { acceptedUrl } from '../delivery/accepted-url.ts'
import { cancelDeliveries, releaseHeld } from '../delivery/hand.ts'
import {
  generateSecret,
  NO_SECRETS,
  rotatedSecret,
  sealedSecret,
} from '../delivery/sealed-secrets.ts'
import type { TargetPolicy } from '../delivery/target.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { NewRule, RulePatch } from './schema.ts'
import { insertRule, type RuleRow, updateRule } from './store.ts'

/** Stores a new rule. `secret` is set when it was generated: the caller shows it this once. */
export async function addRule(
  ctx: Context,
  workspaceId: string,
  rule: NewRule,
  policy: TargetPolicy,
): Promise<{ row: RuleRow; secret: string | undefined }> {
  const secret = rule.secret ?? generateSecret()
  const id = newId('rule')
  const now = ctx.now()
  const row: RuleRow = {
    id,
    workspace_id: workspaceId,
    name: rule.name,
    event: rule.event,
    url: acceptedUrl(rule.url, policy),
    ...sealedSecret(ctx, id, secret),
    conditions: JSON.stringify(rule.conditions),
    disabled_at: rule.active ? null : now,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  await insertRule(ctx.db, row)
  return { row, secret: rule.secret === undefined ? secret : undefined }
}

/** Changes a rule. What was held goes out when it becomes active. */
export async function changeRule(
  ctx: Context,
  rule: RuleRow,
  patch: RulePatch,
  policy: TargetPolicy,
): Promise<RuleRow> {
  const now = ctx.now()
  const { name, event, url, conditions, active, secret } = patch
  const values: Partial<RuleRow> = {
    updated_at: now,
    ...(name === undefined ? {} : { name }),
    ...(event === undefined ? {} : { event }),
    ...(url === undefined ? {} : { url: acceptedUrl(url, policy) }),
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(active === undefined ? {} : { disabled_at: active ? null : (rule.disabled_at ?? now) }),
    ...(secret === undefined ? {} : rotatedSecret(ctx, rule, secret).sealed),
  }
  return transaction(ctx, async (tx) => {
    const changed = await change(tx, rule, values)
    if (active === true) await releaseHeld(tx, rule.id)
    return changed
  })
}

/** Gives a rule a new secret; the old one signs beside it for a day. */
export async function rotateSecret(
  ctx: Context,
  rule: RuleRow,
  given: string | undefined,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = given ?? generateSecret()
  const { sealed, previousUntil } = rotatedSecret(ctx, rule, secret)
  await transaction(ctx, (tx) => change(tx, rule, { ...sealed, updated_at: ctx.now() }))
  return { secret, previousUntil }
}

/** Deletes a rule, its secrets and what waits for it; the history of its deliveries stays. */
export async function removeRule(ctx: Context, rule: RuleRow): Promise<void> {
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    await change(tx, rule, { deleted_at: now, updated_at: now, ...NO_SECRETS })
    await cancelDeliveries(tx, rule.id)
  })
}

async function change(tx: Transaction, rule: RuleRow, values: Partial<RuleRow>): Promise<RuleRow> {
  const place = { workspaceId: rule.workspace_id, id: rule.id }
  const changed = await updateRule(tx.db, place, values)
  if (!changed) throw new AppError('not_found', 'There is no such rule.')
  return changed
}
