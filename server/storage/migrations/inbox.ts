import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table canned_replies (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    title text not null,
    text text not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index canned_replies_workspace on canned_replies (workspace_id, created_at, id)`,
]

export const inbox: readonly Step[] = [baseline]
