import type { Context } from '../context.ts'
import type { Endpoint, EndpointSource } from '../delivery/endpoints.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { findRules, type RuleRow } from './store.ts'

/** Gives the delivery worker the endpoints of rules. */
export const ruleEndpoints: EndpointSource = {
  async find(ctx, ids) {
    const rows = await findRules(ctx.db, ids)
    return rows.map((row) => toEndpoint(ctx, row))
  },
}

/** Maps a rule; one whose secret cannot be decrypted is inactive, which pauses its deliveries. */
function toEndpoint(ctx: Context, row: RuleRow): Endpoint {
  const shared = { id: row.id, url: row.url }
  try {
    return { ...shared, secrets: signingSecrets(ctx, row), isActive: row.disabled_at === null }
  } catch (error) {
    ctx.log.error(
      { event: 'rules.secret_decrypt_failed', err: error, rule: row.id },
      'rule secret decrypt failed',
    )
    return { ...shared, secrets: { current: '' }, isActive: false }
  }
}
