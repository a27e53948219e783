/** Every queue has the same lease: until when a worker holds a job, and the token that proves it. */
export const leaseTokens: readonly string[] = [
  `alter table inbound_events add column lease_token text`,
  `alter table channel_messages add column lease_token text`,
  `alter table social_posts add column lease_token text`,
  `alter table mails add column lease_token text`,
  `alter table mails add column lease_until bigint`,
]

/**
 * A hold says itself which site's credits of a day it takes from; null where the site has no daily
 * cap. Holds of a database that is migrated are of processes that have stopped.
 */
export const holdsOfTenants: readonly string[] = [
  `alter table holds add column tenant_id text`,
  `alter table holds add column day text`,
  `update holds set
    tenant_id = (select tenant_id from tenant_holds where hold_id = holds.id),
    day = (select day from tenant_holds where hold_id = holds.id)`,
  `create index holds_tenant on holds (tenant_id, day) where tenant_id is not null`,
  `drop table tenant_holds`,
]
