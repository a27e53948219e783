/** Every queue has the same lease: until when a worker holds a job, and the token that proves it. */
export const leaseTokens: readonly string[] = [
  `alter table inbound_events add column lease_token text`,
  `alter table channel_messages add column lease_token text`,
  `alter table social_posts add column lease_token text`,
  `alter table mails add column lease_token text`,
  `alter table mails add column lease_until bigint`,
]
