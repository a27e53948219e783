/** Whether a site asks browsers for work, and whose work has been used. */
export const challenges: readonly string[] = [
  `alter table tenants add column abuse text not null default '{}'`,
  `create table spent_challenges (
    id text primary key,
    ends_at bigint not null
  )`,
  `create index spent_challenges_age on spent_challenges (ends_at)`,
]
