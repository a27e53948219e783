import type { Step } from '../migrate.ts'

/** A tenant's actions, the open dialog of a session about one, and the log of calls. */
const actionTables: readonly string[] = [
  `create table actions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    name text not null,
    definition text not null,
    headers text not null,
    secret text not null,
    previous_secrets text not null default '[]',
    disabled_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index actions_tenant on actions (tenant_id, created_at, id)`,
  `create index actions_workspace on actions (workspace_id)`,
  `create table action_dialogs (
    session_id text primary key references sessions (id) on delete cascade,
    id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    action_id text not null references actions (id) on delete cascade,
    action_version bigint not null,
    message_id text not null,
    state text not null,
    language text not null,
    inputs text not null,
    asked text,
    misses bigint not null,
    call_id text,
    expires_at bigint not null
  )`,
  `create index action_dialogs_action on action_dialogs (action_id)`,
  `create index action_dialogs_workspace on action_dialogs (workspace_id)`,
  `create index action_dialogs_expiry on action_dialogs (expires_at)`,
  `create table action_calls (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    action_id text not null references actions (id) on delete cascade,
    session_id text references sessions (id) on delete cascade,
    message_id text,
    digest text not null,
    state text not null,
    is_test bigint not null,
    inputs text not null,
    attempts text not null,
    error text,
    shown text,
    created_at bigint not null,
    ended_at bigint
  )`,
  `create index action_calls_action on action_calls (action_id, created_at, id)`,
  `create index action_calls_session on action_calls (session_id)`,
  `create index action_calls_tenant on action_calls (tenant_id)`,
  `create index action_calls_workspace on action_calls (workspace_id)`,
  `create index action_calls_time on action_calls (created_at)`,
  // One call of an action with the same inputs for one message of a visitor.
  `create unique index action_calls_cause on action_calls (message_id, action_id, digest)
    where message_id is not null`,
]

export const actions: readonly Step[] = [actionTables]
