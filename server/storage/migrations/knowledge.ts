export const knowledge: readonly string[] = [
  `create table documents (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    kind text not null,
    title text not null,
    url text,
    content text not null,
    state text not null,
    error text,
    passage_count bigint not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index documents_tenant on documents (tenant_id, created_at, id)`,
  `create table passages (
    document_id text not null references documents (id) on delete cascade,
    ordinal bigint not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    heading text not null,
    anchor text,
    content text not null,
    primary key (document_id, ordinal)
  )`,
  `create index passages_tenant on passages (tenant_id, document_id, ordinal)`,
]
