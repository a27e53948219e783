import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table rules (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text not null,
    event text not null,
    url text not null,
    secret text not null,
    conditions text not null,
    disabled_at bigint,
    deleted_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    previous_secrets text not null default '[]'
  )`,
  `create index rules_workspace on rules (workspace_id, created_at, id)`,
  `create index rules_event on rules (workspace_id, event)`,
]

/** A list of events; null for a rule of one event. */
const lists: readonly string[] = [`alter table rules add column events text`]

export const rules: readonly Step[] = [baseline, lists]
