import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table model_choices (
    workspace_id text primary key references workspaces (id) on delete cascade,
    choices text not null,
    updated_at bigint not null
  )`,
]

/** The embedding model that a workspace brings. */
const embedding: readonly string[] = [
  `create table embedding_choices (
    workspace_id text primary key references workspaces (id) on delete cascade,
    base_url text not null,
    model text not null,
    api_key text,
    updated_at bigint not null
  )`,
]

const closing: readonly string[] = [
  // When the owner closed the workspace: its sites were switched off at that time.
  `alter table workspaces add column closed_at bigint`,
  `create index workspaces_closed on workspaces (closed_at) where closed_at is not null`,
]

export const workspace: readonly Step[] = [baseline, closing, embedding]
