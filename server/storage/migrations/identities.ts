export const identities: readonly string[] = [
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
]
