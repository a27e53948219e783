import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table setup_links (
    digest text primary key,
    created_at bigint not null,
    expires_at bigint not null
  )`,
]

export const setup: readonly Step[] = [baseline]
