import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table tenants (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    chatbot_id text not null unique,
    name text not null,
    sector text not null,
    locale text not null,
    time_zone text not null,
    handoff text not null,
    allowed_origins text not null,
    theme text not null,
    greeting text not null,
    quick_replies text not null,
    answer_threshold double precision not null,
    office_hours text not null,
    slot_minutes bigint not null,
    forms text not null,
    channels text not null,
    daily_credit_cap bigint,
    identity_secret text not null,
    disabled_at bigint,
    knowledge_version bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    privacy text not null default '{}',
    abuse text not null default '{}'
  )`,
  `create index tenants_workspace on tenants (workspace_id, created_at, id)`,
  // Every slug that a site ever had. A row outlives its site and its workspace.
  `create table tenant_slugs (
    tenant_id text primary key,
    owner_id text not null,
    claimed_at bigint not null
  )`,
  `create table sessions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    visitor_id text,
    user_id text,
    state text not null,
    channel text not null,
    locale text not null,
    page_url text,
    message_count bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    event_count bigint not null default 0,
    assignee_id text references users (id) on delete set null,
    unread bigint not null default 0,
    operator_read bigint not null default 0,
    visitor_read bigint not null default 0,
    low_answers bigint not null default 0,
    last_confidence double precision,
    waiting_since bigint
  )`,
  `create index sessions_visitor on sessions (visitor_id, created_at, id)
    where visitor_id is not null`,
  `create index sessions_user on sessions (user_id, created_at, id) where user_id is not null`,
  `create index sessions_inbox on sessions (workspace_id, updated_at, id)`,
  `create index sessions_assignee on sessions (assignee_id) where assignee_id is not null`,
  `create index sessions_tenant_age on sessions (tenant_id, updated_at)`,
  // The sessions that a new one ends: few per visitor.
  `create index sessions_attended on sessions (visitor_id)
    where state in ('waiting', 'operator')`,
  `create table messages (
    id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    sequence bigint not null,
    role text not null,
    content text not null,
    citations text,
    created_at bigint not null,
    author_id text,
    primary key (session_id, sequence)
  )`,
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
  `create index session_events_age on session_events (created_at)`,
  `create table notes (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    session_id text not null references sessions (id) on delete cascade,
    author_id text references users (id) on delete set null,
    text text not null,
    created_at bigint not null
  )`,
  `create index notes_session on notes (session_id, created_at, id)`,
  `create table conversation_summaries (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    through bigint not null,
    text text not null,
    updated_at bigint not null
  )`,
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
  // Credits that sites with a `daily_credit_cap` have used on a day of their own time zone.
  `create table tenant_spent (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    used bigint not null,
    primary key (workspace_id, tenant_id, day)
  )`,
  `create table identities (
    visitor_id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    subject text,
    name text,
    email text,
    phone text,
    verified_at bigint,
    updated_at bigint not null
  )`,
  `create index identities_tenant on identities (tenant_id)`,
  // Used proofs of work, until they expire.
  `create table spent_challenges (
    id text primary key,
    ends_at bigint not null
  )`,
  `create index spent_challenges_age on spent_challenges (ends_at)`,
  // Mails that visitors had sent to an address: outlives the conversations they came from.
  `create table mail_counts (
    recipient text primary key,
    sent bigint not null,
    ends_at bigint not null
  )`,
  `create index mail_counts_age on mail_counts (ends_at)`,
]

/** How a model is to write: tone and instructions of the site's owner. */
const assistant: readonly string[] = [
  `alter table tenants add column assistant text not null default '{}'`,
]

/** Columns by which the inbox filters and searches. */
const inbox: readonly string[] = [
  `alter table sessions add column snoozed_until bigint`,
  // The content without case and accents; null where the content is written like that already.
  `alter table messages add column folded text`,
  `create index sessions_state on sessions (workspace_id, state, updated_at, id)`,
  `create index sessions_snoozed on sessions (workspace_id, snoozed_until)
    where snoozed_until is not null`,
  `create index sessions_awake on sessions (snoozed_until) where snoozed_until is not null`,
  `create table session_tags (
    workspace_id text not null references workspaces (id) on delete cascade,
    tag text not null,
    session_id text not null references sessions (id) on delete cascade,
    primary key (workspace_id, tag, session_id)
  )`,
  `create index session_tags_session on session_tags (session_id)`,
]

/** The pages on which the widget of a site was seen. */
const seenOrigins: readonly string[] = [
  `create table seen_origins (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    origin text not null,
    first_seen_at bigint not null,
    last_seen_at bigint not null,
    primary key (tenant_id, origin)
  )`,
]

/** Limits of visitors' mails, proved addresses, and the default of a site's daily cap. */
const strangersLimited: readonly string[] = [
  // The table counts senders, sites and workspaces too, no longer recipients alone.
  `alter table mail_counts rename column recipient to counter`,
  `drop table transcripts`,
  // Addresses that belong to the visitor of a session, by a mailed code. Only a digest is stored.
  `create table proved_addresses (
    session_id text not null references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    address text not null,
    proved_at bigint not null,
    primary key (session_id, address)
  )`,
  // 0: the cap follows the month's credits; 1: the site chose \`daily_credit_cap\`, which may be null.
  `alter table tenants add column has_own_cap bigint not null default 0`,
  `update tenants set has_own_cap = 1 where daily_credit_cap is not null`,
]

/** The handoff timeout of a site, and when operators were notified of a waiting visitor. */
const waits: readonly string[] = [
  `alter table tenants add column handoff_timeout_seconds bigint not null default 120`,
  `alter table sessions add column waiting_alerted_at bigint`,
  `create index sessions_awaiting on sessions (updated_at)
    where state in ('waiting', 'operator')`,
]

/** When visitors were last there, and operators' messages that they may not have seen. */
const activity: readonly string[] = [
  `create table visitor_activity (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    seen_at bigint not null
  )`,
  `create table pending_replies (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    since bigint not null
  )`,
]

/** Ratings of answers as a list to attend to. */
const ratings: readonly string[] = [
  `alter table feedback add column handled_at bigint`,
  `create index feedback_answers on feedback (tenant_id, created_at) where message_id <> ''`,
]

/** The words of a site that mean the same. */
const synonyms: readonly string[] = [
  `alter table tenants add column synonyms text not null default '[]'`,
]

/** When somebody of the workspace first asked a site's bot in the test console. */
const tried: readonly string[] = [`alter table tenants add column tried_at bigint`]
/** Whether a site answers assistants of anybody over MCP. */
const mcp: readonly string[] = [`alter table tenants add column mcp text not null default 'off'`]

/** What client addresses have used of a site's daily cap. */
const clientShares: readonly string[] = [
  `create table client_spent (
    workspace_id text not null references workspaces (id) on delete cascade,
    counter text not null,
    used bigint not null,
    ends_at bigint not null,
    primary key (workspace_id, counter)
  )`,
  `create index client_spent_age on client_spent (ends_at)`,
]

/** Logos of sites that were uploaded. The bytes are base64, as one type of column for both databases. */
const logos: readonly string[] = [
  `create table logos (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    media_type text not null,
    data text not null,
    created_at bigint not null
  )`,
  `create index logos_workspace on logos (workspace_id, created_at)`,
]

export const chat: readonly Step[] = [
  baseline,
  assistant,
  inbox,
  seenOrigins,
  strangersLimited,
  waits,
  activity,
  ratings,
  synonyms,
  tried,
  mcp,
  clientShares,
  logos,
]
