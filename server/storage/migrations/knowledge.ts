import type { Step } from '../migrate.ts'

/**
 * Documents are files, pages and sitemaps; `parent_id` leads from a page to its sitemap. A
 * document that waits to be parsed, now or at its next sync, has one row in `knowledge_jobs`; the
 * bytes of a file (base64) are stored until it is parsed.
 */
const baseline: readonly string[] = [
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
    updated_at bigint not null,
    parent_id text references documents (id) on delete cascade,
    file_name text,
    bytes bigint not null default 0,
    synced_at bigint,
    sync_hours bigint,
    fingerprint text,
    etag text,
    last_modified text
  )`,
  `create index documents_tenant on documents (tenant_id, created_at, id)`,
  `create index documents_count on documents (workspace_id, tenant_id, passage_count)`,
  `create index documents_parent on documents (parent_id, state, passage_count, bytes)`,
  `create index documents_top on documents (tenant_id, created_at, id) where parent_id is null`,
  `create index documents_page on documents (parent_id, created_at, id)`,
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
  `create table knowledge_jobs (
    document_id text primary key references documents (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    lane text not null,
    due_at bigint not null,
    attempt bigint not null,
    started_at bigint,
    lease_token text,
    lease_until bigint
  )`,
  `create index knowledge_jobs_due on knowledge_jobs (lane, due_at)`,
  `create index knowledge_jobs_workspace on knowledge_jobs (workspace_id, lease_until)`,
  `create table knowledge_files (
    document_id text primary key references documents (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    content text not null
  )`,
  `create table unanswered_questions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    fingerprint text not null,
    question text not null,
    locale text not null,
    asked bigint not null,
    first_asked_at bigint not null,
    last_asked_at bigint not null
  )`,
  `create unique index unanswered_questions_key on unanswered_questions (tenant_id, fingerprint)`,
  `create index unanswered_questions_asked on unanswered_questions (tenant_id, asked, id)`,
  `create index unanswered_questions_age on unanswered_questions (last_asked_at)`,
]

/** The quotas of a workspace sum these columns from the index alone. */
const storedBytes: readonly string[] = [
  `create index documents_stored on documents (workspace_id, bytes, passage_count)`,
]

/**
 * Vectors of passages as base64 of signed bytes, the queue of the tenants whose passages lack some, and
 * for each tenant the model whose vectors are complete.
 */
const vectors: readonly string[] = [
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

/** Fair claims step from workspace to workspace. */
const fairTurns: readonly string[] = [
  `create index knowledge_jobs_turn on knowledge_jobs (lane, workspace_id, due_at)`,
  `create index embedding_jobs_turn on embedding_jobs (workspace_id, due_at)`,
]

/**
 * Files that wait to be read, as their bytes: encoded, they took a third more than the quota counts.
 * SQLite stores bytes in the column as it is; rows of before stay encoded there.
 */
const rawFiles: Step = (dialect) => [
  ...(dialect === 'postgres'
    ? [
        `alter table knowledge_files alter column content type bytea
          using decode(content, 'base64')`,
      ]
    : []),
  `create index knowledge_files_workspace on knowledge_files (workspace_id)`,
]

/**
 * Snapshots of search indexes, which can be built again: on Postgres they are not in the write-ahead log, nor
 * on replicas, and are gone after a crash of the server. They are compressed before.
 */
const snapshots: Step = {
  expands: true,
  statements: (dialect) => [
    `create ${dialect === 'postgres' ? 'unlogged ' : ''}table index_snapshots (
      tenant_id text not null references tenants (id) on delete cascade,
      part bigint not null,
      workspace_id text not null references workspaces (id) on delete cascade,
      stamp text not null,
      parts bigint not null,
      bytes bigint not null,
      stored_at bigint not null,
      content ${dialect === 'postgres' ? 'bytea' : 'blob'} not null,
      primary key (tenant_id, part)
    )`,
    ...(dialect === 'postgres'
      ? [`alter table index_snapshots alter column content set storage external`]
      : []),
    `create index index_snapshots_size on index_snapshots (tenant_id, stored_at, bytes)`,
    `create index index_snapshots_workspace on index_snapshots (workspace_id)`,
  ],
}

export const knowledge: readonly Step[] = [
  baseline,
  storedBytes,
  vectors,
  fairTurns,
  rawFiles,
  snapshots,
]
