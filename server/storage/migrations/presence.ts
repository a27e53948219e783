import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  // The status that operators set. `seen_at` is the panel's last call or open stream.
  `create table presence (
    user_id text primary key references users (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    state text not null,
    changed_at bigint not null,
    seen_at bigint not null
  )`,
  `create index presence_workspace on presence (workspace_id)`,
]

export const presence: readonly Step[] = [baseline]
