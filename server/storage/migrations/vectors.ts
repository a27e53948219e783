import type { Step } from '../migrate.ts'

/**
 * Vectors of passages as base64 of signed bytes, the queue of the tenants whose passages lack some, and
 * for each tenant the model whose vectors are complete.
 */
const baseline: readonly string[] = [
  `create table passage_vectors (
    document_id text not null,
    ordinal bigint not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    model text not null,
    dimension bigint not null,
    scale double precision not null,
    codes text not null,
    primary key (document_id, ordinal),
    foreign key (document_id, ordinal) references passages (document_id, ordinal)
      on delete cascade
  )`,
  `create index passage_vectors_tenant on passage_vectors (tenant_id, document_id, ordinal)`,
  `create table embedding_jobs (
    tenant_id text primary key references tenants (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    due_at bigint not null,
    attempts bigint not null,
    lease_token text,
    lease_until bigint
  )`,
  `create index embedding_jobs_due on embedding_jobs (due_at)`,
  `create index embedding_jobs_workspace on embedding_jobs (workspace_id, lease_until)`,
  `create table tenant_vectors (
    tenant_id text primary key references tenants (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    model text not null,
    version bigint not null,
    day_from bigint not null,
    embedded bigint not null
  )`,
]

export const vectors: readonly Step[] = [baseline]
