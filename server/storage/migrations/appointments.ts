import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table appointments (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    session_id text references sessions (id) on delete set null,
    chatbot_id text not null,
    service text,
    start_at bigint not null,
    end_at bigint not null,
    name text not null,
    phone text,
    email text,
    locale text not null,
    source text not null,
    state text not null,
    changes bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    consent_text text,
    consent_at bigint
  )`,
  `create index appointments_workspace on appointments (workspace_id, created_at, id)`,
  `create index appointments_calendar on appointments (tenant_id, start_at)
    where state = 'booked'`,
  `create index appointments_session on appointments (session_id)`,
]

const feeds: readonly string[] = [
  `create table calendar_feeds (
    tenant_id text primary key references tenants (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    version bigint not null
  )`,
  `create index calendar_feeds_workspace on calendar_feeds (workspace_id)`,
]

export const appointments: readonly Step[] = [baseline, feeds]
