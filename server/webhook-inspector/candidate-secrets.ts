import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type SigningSecretColumns, signingSecrets } from '../delivery/signing-secrets.ts'

/** Bounds the digests per request; a developer has fewer endpoints. */
const MAX_ENDPOINTS = 100

/** An endpoint whose secret may have signed a captured request. */
export interface CandidateSecret {
  /** `whs_…` or `rule_…` */
  id: string
  secrets: readonly string[]
}

/**
 * Decrypts the secrets of the subscriptions and rules that target the webhook inspector, newest
 * first. Other secrets stay encrypted.
 */
export async function findCandidateSecrets(ctx: Context): Promise<CandidateSecret[]> {
  const { rows } = await sql<SigningSecretColumns & { id: string }>`
    select id, secret, previous_secrets from (
      select id, secret, previous_secrets, created_at from subscriptions
      where deleted_at is null and url like '%/dev/%/hooks/%'
      union all
      select id, secret, previous_secrets, created_at from rules
      where deleted_at is null and url like '%/dev/%/hooks/%'
    ) as targeting order by created_at desc limit ${MAX_ENDPOINTS}`.execute(ctx.db)
  return rows.map((row) => {
    const { current, previous = [] } = signingSecrets(ctx, row)
    return { id: row.id, secrets: [current, ...previous] }
  })
}
