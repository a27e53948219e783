import type { Context, Transaction } from '../context.ts'
import type { Endpoint, EndpointSource } from '../delivery/endpoints.ts'
import type { SigningSecrets } from '../delivery/signature.ts'
import { findRules, type RuleRow } from './store.ts'

/** A rule's secrets at this moment: the previous one only while its day of overlap lasts. */
export function secretsOf(ctx: Context | Transaction, rule: RuleRow): SigningSecrets {
  const overlaps = rule.previous_until !== null && ctx.now() < rule.previous_until
  return {
    current: ctx.secrets.unseal(rule.secret, rule.id),
    previous:
      overlaps && rule.previous_secret !== null
        ? ctx.secrets.unseal(rule.previous_secret, rule.id)
        : undefined,
  }
}

/** Rules as the delivery engine sees them. */
export const ruleEndpoints: EndpointSource = {
  async find(ctx, ids) {
    const rows = await findRules(ctx.db, ids)
    return rows.map((row) => toEndpoint(ctx, row))
  },
}

/** A rule whose secret cannot be opened is taken for inactive: its deliveries wait, and stay. */
function toEndpoint(ctx: Context, row: RuleRow): Endpoint {
  const shared = { id: row.id, url: row.url }
  try {
    return { ...shared, secrets: secretsOf(ctx, row), isActive: row.disabled_at === null }
  } catch (error) {
    ctx.log.error({ err: error, rule: row.id }, 'the secret of a rule cannot be opened')
    return { ...shared, secrets: { current: '' }, isActive: false }
  }
}
