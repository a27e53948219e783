/** Contact details of which a part is still missing, and codes that were sent to an address. */
export const leadDrafts: readonly string[] = [
  `create table lead_drafts (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text,
    phone text,
    email text,
    confidence double precision not null,
    updated_at bigint not null
  )`,
  `create table lead_codes (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    digest text not null,
    tries bigint not null,
    expires_at bigint not null
  )`,
]

/** How long a site keeps conversations, and what it needs the visitor's consent for. */
export const privacy: readonly string[] = [
  `alter table tenants add column privacy text not null default '{}'`,
  `create index sessions_tenant_age on sessions (tenant_id, updated_at)`,
]
