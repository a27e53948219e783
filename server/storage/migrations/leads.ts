import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table leads (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    session_id text not null unique references sessions (id) on delete cascade,
    chatbot_id text not null,
    sector text not null,
    name text not null,
    phone text not null,
    email text not null,
    interest text not null,
    source text not null,
    confidence double precision not null,
    consent_text text,
    consent_at bigint,
    captured_at bigint not null
  )`,
  `create index leads_workspace on leads (workspace_id, captured_at, id)`,
  // Contact details of which a part is still missing.
  `create table lead_drafts (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text,
    phone text,
    email text,
    confidence double precision not null,
    updated_at bigint not null
  )`,
  // Codes that were sent to an address.
  `create table lead_codes (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    digest text not null,
    tries bigint not null,
    expires_at bigint not null
  )`,
]

/** How far a workspace is with a lead. */
const progress: readonly string[] = [
  `alter table leads add column status text not null default 'new'`,
  `alter table leads add column owner_id text references users (id) on delete set null`,
  `alter table leads add column notes text not null default ''`,
  `create index leads_owner on leads (owner_id) where owner_id is not null`,
]

export const leads: readonly Step[] = [baseline, progress]
