import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table notification_preferences (
    user_id text primary key references users (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    email text not null,
    push text not null,
    updated_at bigint not null
  )`,
  // Notifications to send by mail; a row is deleted once its mail is queued.
  `create table notifications (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    kind text not null,
    session_id text references sessions (id) on delete cascade,
    tenant_id text references tenants (id) on delete cascade,
    data text not null,
    is_digest bigint not null,
    created_at bigint not null,
    due_at bigint not null
  )`,
  `create index notifications_due on notifications (due_at)`,
  `create index notifications_session on notifications (session_id) where session_id is not null`,
  `create index notifications_user on notifications (user_id)`,
  // The last mail to a member about a conversation: the next one waits.
  `create table notification_mails (
    user_id text not null references users (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    sent_at bigint not null,
    primary key (user_id, session_id)
  )`,
  `create index notification_mails_session on notification_mails (session_id)`,
]

const push: readonly string[] = [
  // Secrets that the installation generates for itself, encrypted for their name.
  `create table installation_secrets (
    name text primary key,
    content text not null,
    created_at bigint not null
  )`,
  // Browsers of members. The content, endpoint and keys, is encrypted for the id.
  `create table push_subscriptions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    endpoint_digest text not null,
    content text not null,
    created_at bigint not null
  )`,
  `create unique index push_subscriptions_user on push_subscriptions (user_id, endpoint_digest)`,
  `create index push_subscriptions_workspace on push_subscriptions (workspace_id)`,
  // Queue of push messages, each deleted at its end. The payload is encrypted for the id.
  `create table push_messages (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    subscription_id text not null references push_subscriptions (id) on delete cascade,
    session_id text references sessions (id) on delete cascade,
    payload text not null,
    attempts bigint not null,
    created_at bigint not null,
    next_at bigint not null,
    lease_token text,
    lease_until bigint
  )`,
  `create index push_messages_due on push_messages (next_at)`,
  `create index push_messages_subscription on push_messages (subscription_id)`,
  `create index push_messages_session on push_messages (session_id) where session_id is not null`,
]

/** Fair claims step from workspace to workspace, and count the jobs that each has leased. */
const fairTurns: readonly string[] = [
  `create index push_messages_turn on push_messages (workspace_id, next_at)`,
  `create index push_messages_leased on push_messages (workspace_id, lease_until)
    where lease_until is not null`,
]

export const notifications: readonly Step[] = [baseline, push, fairTurns]
