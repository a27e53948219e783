/**
 * Files, pages and sitemaps. `parent_id` leads from a page to the sitemap that named it. A document
 * that waits to be read, now or at its next sync, has one row in `knowledge_jobs`; the bytes of a
 * file (base64) are kept only until they have been read.
 */
export const knowledgeSources: readonly string[] = [
  `alter table documents add column parent_id text references documents (id) on delete cascade`,
  `alter table documents add column file_name text`,
  `alter table documents add column bytes bigint not null default 0`,
  `alter table documents add column synced_at bigint`,
  `alter table documents add column sync_hours bigint`,
  `alter table documents add column fingerprint text`,
  `alter table documents add column etag text`,
  `alter table documents add column last_modified text`,
  `create index documents_count on documents (workspace_id, tenant_id, passage_count)`,
  `create index documents_parent on documents (parent_id, state, passage_count, bytes)`,
  `create index documents_top on documents (tenant_id, created_at, id) where parent_id is null`,
  `create index documents_page on documents (parent_id, created_at, id)`,
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
