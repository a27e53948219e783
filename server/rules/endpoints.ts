import type { Context } from '../context.ts'
import type { Endpoint, EndpointSource } from '../delivery/endpoints.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { findRules, type RuleRow } from './store.ts'

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
    return { ...shared, secrets: signingSecrets(ctx, row), isActive: row.disabled_at === null }
  } catch (error) {
    ctx.log.error({ err: error, rule: row.id }, 'the secret of a rule cannot be opened')
    return { ...shared, secrets: { current: '' }, isActive: false }
  }
}
