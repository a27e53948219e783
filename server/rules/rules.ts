import { type Context, type Transaction, transaction } from '../context.ts'
import { cancelDeliveries, releaseHeld } from '../delivery/hand.ts'
import { judgeTarget, REFUSALS, type TargetPolicy } from '../delivery/target.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { newId, randomText } from '../lib/ids.ts'
import type { NewRule, RulePatch } from './schema.ts'
import { insertRule, type RuleRow, updateRule } from './store.ts'

/** How long the previous secret keeps signing after a rotation. */
const OVERLAP_MS = 24 * 60 * 60 * 1000
const SECRET_LENGTH = 40

/** Stores a new rule. `secret` is set when it was generated: the caller shows it this once. */
export async function addRule(
  ctx: Context,
  workspaceId: string,
  rule: NewRule,
  policy: TargetPolicy,
): Promise<{ row: RuleRow; secret: string | undefined }> {
  const generated = rule.secret === undefined ? randomText(SECRET_LENGTH) : undefined
  const id = newId('rule')
  const now = ctx.now()
  const row: RuleRow = {
    id,
    workspace_id: workspaceId,
    name: rule.name,
    event: rule.event,
    url: acceptedUrl(rule.url, policy),
    secret: ctx.secrets.seal(rule.secret ?? generated ?? '', id),
    previous_secret: null,
    previous_until: null,
    conditions: JSON.stringify(rule.conditions),
    disabled_at: rule.active ? null : now,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  await insertRule(ctx.db, row)
  return { row, secret: generated }
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
    ...(secret === undefined ? {} : rotation(ctx, rule, secret)),
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
  const secret = given ?? randomText(SECRET_LENGTH)
  const values = rotation(ctx, rule, secret)
  await transaction(ctx, (tx) => change(tx, rule, { ...values, updated_at: ctx.now() }))
  return { secret, previousUntil: values.previous_until }
}

/** Deletes a rule, its secrets and what waits for it; the history of its deliveries stays. */
export async function removeRule(ctx: Context, rule: RuleRow): Promise<void> {
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    await change(tx, rule, {
      deleted_at: now,
      updated_at: now,
      secret: '',
      previous_secret: null,
      previous_until: null,
    })
    await cancelDeliveries(tx, rule.id)
  })
}

async function change(tx: Transaction, rule: RuleRow, values: Partial<RuleRow>): Promise<RuleRow> {
  const place = { workspaceId: rule.workspace_id, id: rule.id }
  const changed = await updateRule(tx.db, place, values)
  if (!changed) throw new AppError('not_found', 'There is no such rule.')
  return changed
}

function rotation(ctx: Context, rule: RuleRow, secret: string) {
  return {
    secret: ctx.secrets.seal(secret, rule.id),
    previous_secret: rule.secret,
    previous_until: ctx.now() + OVERLAP_MS,
  }
}

/** The normal form of a URL that may be called; throws 422 for any other. */
function acceptedUrl(url: string, policy: TargetPolicy): string {
  const judged = judgeTarget(url, policy)
  if (judged.ok) return judged.url.href
  throw invalidFields([{ path: '/url', message: REFUSALS[judged.refusal] }])
}
