import { z } from 'zod'
import { type Context, type Transaction, transaction } from '../context.ts'
import { parseTargetUrl } from '../net/target.ts'
import { cancelDeliveries, resumeDeliveries } from '../delivery/queue/manual-retry.ts'
import {
  generateSecret,
  NO_SECRETS,
  rotateSigningSecret,
  encryptSecret,
} from '../delivery/signing-secrets.ts'
import type { TargetPolicy } from '../net/target.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { AuditAction, AuditDetails } from '../platform/schema.ts'
import { type Conditions, type NewRule, RuleEvent, type RulePatch } from './schema.ts'
import { findTenantOwner } from '../tenants/store.ts'
import { findRule, insertRule, type RuleRow, updateRule } from './store.ts'

/** A rule and the actor of a change. */
interface RuleAction {
  rule: RuleRow
  actor: Actor
}

/**
 * Stores a new rule. Returns a generated `secret`, which is shown once. Throws
 * 403 for a condition on another workspace's tenant, and 404 for one on an unknown tenant.
 */
export async function addRule(
  ctx: Context,
  { workspaceId, actor }: { workspaceId: string; actor: Actor },
  rule: NewRule,
  policy: TargetPolicy,
): Promise<{ row: RuleRow; secret: string | undefined }> {
  await assertOwnTenants(ctx, workspaceId, rule.conditions)
  const secret = rule.secret ?? generateSecret()
  const id = newId('rule')
  const now = ctx.now()
  const row: RuleRow = {
    id,
    workspace_id: workspaceId,
    name: rule.name,
    ...toStoredEvents(rule),
    url: parseTargetUrl(rule.url, policy),
    ...encryptSecret(ctx, id, secret),
    conditions: JSON.stringify(rule.conditions),
    disabled_at: rule.active ? null : now,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  }
  await transaction(ctx, async (tx) => {
    await insertRule(tx.db, row)
    const details = { event: ruleEvents(row).join(', '), url: new URL(row.url).origin }
    await auditRule(tx, row, { actor, action: 'rule.created', details })
  })
  return { row, secret: rule.secret === undefined ? secret : undefined }
}

/** Changes a rule. Activating it resumes its paused deliveries. Throws 422, 403, 404 and 409. */
export async function changeRule(
  ctx: Context,
  { rule, actor }: RuleAction,
  patch: RulePatch,
  policy: TargetPolicy,
): Promise<RuleRow> {
  const now = ctx.now()
  const { name, event, events, url, conditions, active, secret } = patch
  await assertOwnTenants(ctx, rule.workspace_id, conditions)
  const values: Partial<RuleRow> = {
    updated_at: now,
    ...(name === undefined ? {} : { name }),
    ...(event === undefined && events === undefined ? {} : toStoredEvents({ event, events })),
    ...(url === undefined ? {} : { url: parseTargetUrl(url, policy) }),
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(active === undefined ? {} : { disabled_at: active ? null : (rule.disabled_at ?? now) }),
    ...(secret === undefined ? {} : rotateSigningSecret(ctx, rule, secret).sealed),
  }
  return transaction(ctx, async (tx) => {
    const changed = await change(tx, rule, values)
    await auditRule(tx, rule, {
      actor,
      action: 'rule.changed',
      details: { fields: Object.keys(patch) },
    })
    if (active === true) await resumeDeliveries(tx, rule.id)
    return changed
  })
}

/** Rotates the secret; the old one signs beside the new one for a day. Throws 409 and 404. */
export async function rotateRuleSecret(
  ctx: Context,
  { rule, actor }: RuleAction,
  given: string | undefined,
): Promise<{ secret: string; previousUntil: number }> {
  const secret = given ?? generateSecret()
  const { sealed, previousUntil } = rotateSigningSecret(ctx, rule, secret)
  await transaction(ctx, async (tx) => {
    await change(tx, rule, { ...sealed, updated_at: ctx.now() })
    await auditRule(tx, rule, { actor, action: 'rule.secret_rotated' })
  })
  return { secret, previousUntil }
}

/** Deletes a rule and its secrets, and cancels its deliveries, whose history stays. Throws 404. */
export async function removeRule(ctx: Context, { rule, actor }: RuleAction): Promise<void> {
  const now = ctx.now()
  await transaction(ctx, async (tx) => {
    await change(tx, rule, { deleted_at: now, updated_at: now, ...NO_SECRETS })
    await cancelDeliveries(tx, rule.id)
    await auditRule(tx, rule, { actor, action: 'rule.deleted' })
  })
}

const StoredEvents = z.array(RuleEvent)

/** Returns the events of a rule. */
export function ruleEvents({ event, events }: Pick<RuleRow, 'event' | 'events'>): RuleEvent[] {
  return events === null ? [event] : StoredEvents.parse(JSON.parse(events))
}

/** Returns the columns of one event or of a list. */
function toStoredEvents({
  event,
  events,
}: Pick<NewRule, 'event' | 'events'>): Pick<RuleRow, 'event' | 'events'> {
  const first = event ?? events?.[0]
  if (first === undefined) throw new Error('The schema lets no rule without an event pass.')
  return { event: first, events: events ? JSON.stringify(events) : null }
}

/** Throws 404 for an unknown tenant, because that rule would never match. */
async function assertOwnTenants(
  ctx: Context,
  workspaceId: string,
  conditions: Conditions | undefined,
): Promise<void> {
  if (conditions?.tenant_id === undefined) return
  assertOwned(await findTenantOwner(ctx.db, conditions.tenant_id), workspaceId, 'tenant')
}

async function change(tx: Transaction, rule: RuleRow, values: Partial<RuleRow>): Promise<RuleRow> {
  const changed = await updateRule(tx.db, unchangedGuard(rule, values), values)
  if (changed) return changed
  const row = await findRule(tx.db, rule.id)
  if (!row || row.deleted_at !== null) throw new AppError('not_found', 'This rule does not exist.')
  throw new AppError('conflict', 'Another request replaced the secret. Try again.')
}

/** Optimistic lock on the secret, so that of two concurrent rotations one fails. */
function unchangedGuard({ workspace_id, id, secret }: RuleRow, values: Partial<RuleRow>) {
  const place = { workspaceId: workspace_id, id }
  return values.secret ? { ...place, secret } : place
}

/** Records only the origin of a URL, because paths and queries often hold secrets. */
function auditRule(
  tx: Transaction,
  { id, workspace_id }: RuleRow,
  entry: { actor: Actor; action: AuditAction; details?: AuditDetails },
): Promise<void> {
  return recordAudit(tx, workspace_id, { ...entry, subject: { type: 'rule', id } })
}
