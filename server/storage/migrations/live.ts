export const live: readonly string[] = [
  `alter table sessions add column event_count bigint not null default 0`,
  `alter table sessions add column assignee_id text references users (id) on delete set null`,
  `alter table sessions add column unread bigint not null default 0`,
  `alter table sessions add column operator_read bigint not null default 0`,
  `alter table sessions add column visitor_read bigint not null default 0`,
  `alter table sessions add column low_answers bigint not null default 0`,
  `alter table sessions add column last_confidence double precision`,
  `alter table sessions add column waiting_since bigint`,
  `create index sessions_inbox on sessions (workspace_id, updated_at, id)`,
  `create index sessions_assignee on sessions (assignee_id) where assignee_id is not null`,
  `alter table messages add column author_id text`,
  `create table workspace_feeds (
    workspace_id text primary key references workspaces (id) on delete cascade,
    position bigint not null
  )`,
  `create table session_events (
    workspace_id text not null references workspaces (id) on delete cascade,
    position bigint not null,
    session_id text references sessions (id) on delete set null,
    sequence bigint not null,
    kind text not null,
    message_sequence bigint,
    note_id text,
    data text not null,
    created_at bigint not null,
    primary key (workspace_id, position)
  )`,
  `create unique index session_events_session on session_events (session_id, sequence)
    where session_id is not null`,
  `create table notes (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    author_id text references users (id) on delete set null,
    text text not null,
    created_at bigint not null
  )`,
  `create index notes_session on notes (session_id, created_at, id)`,
  `create index session_events_age on session_events (created_at)`,
]

export const inbox: readonly string[] = [
  `create table feedback (
    session_id text not null references sessions (id) on delete cascade,
    message_id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    rating bigint not null,
    comment text,
    created_at bigint not null,
    primary key (session_id, message_id)
  )`,
  `create table transcripts (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    recipient text not null,
    created_at bigint not null
  )`,
  `create index transcripts_session on transcripts (session_id, created_at)`,
  `create index transcripts_recipient on transcripts (recipient, created_at)`,
  `create index transcripts_age on transcripts (created_at)`,
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

/** Who begins a conversation leaves the ones that wait for a person: few, however many they had. */
export const attended: readonly string[] = [
  `create index sessions_attended on sessions (visitor_id)
    where state in ('waiting', 'operator')`,
]
