/** What waits to be sent by mail. The content is sealed, and gone once the mail is. */
export const mails: readonly string[] = [
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
    ended_at bigint
  )`,
  `create index mails_due on mails (next_at) where state = 'waiting'`,
  `create index mails_ended on mails (ended_at) where state <> 'waiting'`,
  `create index mails_workspace on mails (workspace_id)`,
]

/** Ways back in, ways in, and who did what. Of secrets only digests are kept. */
export const accounts: readonly string[] = [
  `create table login_failures (
    user_id text primary key references users (id) on delete cascade,
    failures bigint not null
  )`,
  // Somebody nobody knows leaves a row like everybody else, so that both take the same time.
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
  `create index users_list on users (workspace_id, created_at, id)`,
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
