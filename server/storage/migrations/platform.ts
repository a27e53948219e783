import type { Step } from '../migrate.ts'

/**
 * Workspaces, their members, logins and keys, and the mails to them. Of secrets the tables hold
 * digests alone.
 */
const baseline: readonly string[] = [
  `create table workspaces (
    id text primary key,
    name text not null,
    locale text not null,
    plan text not null,
    time_zone text not null,
    created_at bigint not null
  )`,
  `create table users (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    email text not null unique,
    name text not null,
    role text not null,
    password_hash text not null,
    created_at bigint not null
  )`,
  `create index users_workspace on users (workspace_id)`,
  `create index users_list on users (workspace_id, created_at, id)`,
  `create table families (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    ended_at bigint
  )`,
  `create index families_user on families (user_id)`,
  `create table refresh_tokens (
    digest text primary key,
    family_id text not null references families (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    spent_at bigint
  )`,
  `create index refresh_tokens_family on refresh_tokens (family_id)`,
  `create table api_keys (
    id text primary key,
    public_id text not null unique,
    workspace_id text not null references workspaces (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    name text not null,
    prefix text not null,
    secret_hash text not null,
    scopes text,
    ip_allowlist text,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint
  )`,
  `create index api_keys_workspace on api_keys (workspace_id, created_at, id)`,
  `create table idempotency (
    caller text not null,
    route text not null,
    request_id text not null,
    workspace_id text not null,
    digest text not null,
    state text not null,
    answer text,
    created_at bigint not null,
    lease_until bigint not null,
    primary key (caller, route, request_id)
  )`,
  `create index idempotency_age on idempotency (created_at)`,
  // Queue of mails. The content is encrypted, and null once the mail is sent.
  `create table mails (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    recipient text not null,
    content text,
    state text not null,
    attempts bigint not null,
    error text,
    created_at bigint not null,
    next_at bigint not null,
    ended_at bigint,
    lease_token text,
    lease_until bigint
  )`,
  `create index mails_due on mails (next_at) where state = 'waiting'`,
  `create index mails_ended on mails (ended_at) where state <> 'waiting'`,
  `create index mails_workspace on mails (workspace_id)`,
  `create table login_failures (
    user_id text primary key references users (id) on delete cascade,
    failures bigint not null
  )`,
  // An unknown address leaves a row as well, so that both cases take the same time.
  `create table password_resets (
    digest text primary key,
    user_id text references users (id) on delete cascade,
    padding text,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index password_resets_user on password_resets (user_id)`,
  `create index password_resets_end on password_resets (expires_at)`,
  `create table invitations (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    email text not null,
    name text not null,
    role text not null,
    digest text not null unique,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create unique index invitations_email on invitations (workspace_id, email)`,
  `create index invitations_end on invitations (expires_at)`,
  `create table audit (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    actor_email text,
    action text not null,
    subject_type text,
    subject_id text,
    details text,
    address text,
    created_at bigint not null
  )`,
  `create index audit_list on audit (workspace_id, created_at, id)`,
  `create index audit_age on audit (created_at)`,
]

/**
 * Personal settings of an account, the device of a login, second factors, sessions of
 * the installation's operator, and suspended workspaces.
 */
const accounts: readonly string[] = [
  `alter table workspaces add column suspended_at bigint`,
  `alter table users add column locale text`,
  `alter table users add column time_zone text`,
  `alter table users add column picture_id text`,
  `alter table families add column device text`,
  `alter table families add column address text`,
  `alter table families add column last_used_at bigint`,
  `create table email_changes (
    user_id text primary key references users (id) on delete cascade,
    email text not null,
    digest text not null unique,
    expires_at bigint not null
  )`,
  `create index email_changes_end on email_changes (expires_at)`,
  // The bytes are base64, as one type of column for both databases.
  `create table pictures (
    id text primary key,
    user_id text not null unique references users (id) on delete cascade,
    media_type text not null,
    data text not null,
    created_at bigint not null
  )`,
  // The secret is encrypted for the user's id.
  `create table two_factor (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    last_step bigint not null,
    created_at bigint not null,
    confirmed_at bigint
  )`,
  `create table recovery_codes (
    user_id text not null references users (id) on delete cascade,
    digest text not null,
    primary key (user_id, digest)
  )`,
  `create table operator_sessions (
    digest text primary key,
    created_at bigint not null,
    expires_at bigint not null
  )`,
]

/** Fair claims step from workspace to workspace, and count the mails that each has leased. */
const fairMails: readonly string[] = [
  `create index mails_turn on mails (workspace_id, next_at) where state = 'waiting'`,
  `create index mails_leased on mails (workspace_id, lease_until) where lease_until is not null`,
]

/** The periods of scheduled jobs that a process has claimed, and counts that all processes show. */
const sharedWork: Step = {
  expands: true,
  statements: [
    `create table scheduled_jobs (
    name text primary key,
    period bigint not null,
    lease_token text,
    lease_until bigint,
    succeeded_at bigint
  )`,
    `create table shared_counts (
    name text primary key,
    counted_at bigint not null,
    ttl_ms bigint not null,
    counts text
  )`,
  ],
}

export const platform: readonly Step[] = [baseline, accounts, fairMails, sharedWork]
