import type { Step } from '../migrate.ts'

/** The columns of every queue: order, state and lease. */
const QUEUE = `lane text not null,
    position bigint not null,
    state text not null,
    attempts bigint not null,
    next_at bigint not null,
    lease_token text,
    lease_until bigint,
    error text,
    created_at bigint not null,
    ended_at bigint`

/** Messaging apps, payments and social posts. Each queue has the columns of `QUEUE`. */
const baseline: readonly string[] = [
  `create table integrations (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    kind text not null,
    name text not null,
    settings text not null,
    secrets text not null,
    billing_at bigint,
    billing_workspaces text,
    disabled_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index integrations_workspace on integrations (workspace_id, created_at, id)`,
  `create index integrations_tenant on integrations (tenant_id)`,
  `create table channel_contacts (
    integration_id text not null references integrations (id) on delete cascade,
    contact text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    visitor_id text not null,
    session_id text references sessions (id) on delete cascade,
    created_at bigint not null,
    primary key (integration_id, contact)
  )`,
  `create index channel_contacts_session on channel_contacts (session_id)`,
  `create index channel_contacts_visitor on channel_contacts (visitor_id)`,
  `create table inbound_events (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    provider_event_id text not null,
    payload text,
    session_id text references sessions (id) on delete set null,
    message_sequence bigint,
    ${QUEUE}
  )`,
  `create unique index inbound_events_once on inbound_events (integration_id, provider_event_id)`,
  `create index inbound_events_due on inbound_events (next_at) where state = 'waiting'`,
  `create index inbound_events_lane on inbound_events (integration_id, lane, created_at)
    where state = 'waiting'`,
  `create index inbound_events_list on inbound_events (integration_id, created_at, id)`,
  `create index inbound_events_ended on inbound_events (ended_at)`,
  `create index inbound_events_session on inbound_events (session_id)`,
  `create table channel_messages (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    session_id text references sessions (id) on delete cascade,
    text text,
    provider_message_id text,
    ${QUEUE}
  )`,
  `create index channel_messages_due on channel_messages (next_at) where state = 'waiting'`,
  `create index channel_messages_lane on channel_messages (integration_id, lane, created_at)
    where state = 'waiting'`,
  `create index channel_messages_ended on channel_messages (ended_at)`,
  `create index channel_messages_session on channel_messages (session_id)`,
  `create index channel_messages_list on channel_messages (integration_id, created_at, id)`,
  `create table social_posts (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    integration_id text not null references integrations (id) on delete cascade,
    text text not null,
    image_url text,
    publish_at bigint not null,
    provider_draft_id text,
    asked_at bigint,
    provider_post_id text,
    url text,
    ${QUEUE}
  )`,
  `create index social_posts_list on social_posts (workspace_id, created_at, id)`,
  `create index social_posts_due on social_posts (next_at) where state = 'waiting'`,
  `create index social_posts_integration on social_posts (integration_id)`,
]

/** Fair claims step from workspace to workspace, and count the jobs that each has leased. */
const fairTurns: readonly string[] = [
  `create index inbound_events_turn on inbound_events (workspace_id, next_at) where state = 'waiting'`,
  `create index inbound_events_leased on inbound_events (workspace_id, lease_until)
    where lease_until is not null`,
  `create index channel_messages_turn on channel_messages (workspace_id, next_at) where state = 'waiting'`,
  `create index channel_messages_leased on channel_messages (workspace_id, lease_until)
    where lease_until is not null`,
  `create index social_posts_turn on social_posts (workspace_id, next_at) where state = 'waiting'`,
  `create index social_posts_leased on social_posts (workspace_id, lease_until)
    where lease_until is not null`,
]

export const hooks: readonly Step[] = [baseline, fairTurns]
