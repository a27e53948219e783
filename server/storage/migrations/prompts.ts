import type { Step } from '../migrate.ts'

const baseline: readonly string[] = [
  `create table prompts (
    workspace_id text not null references workspaces (id) on delete cascade,
    prompt_id text not null,
    version bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint,
    primary key (workspace_id, prompt_id)
  )`,
  `create table prompt_versions (
    workspace_id text not null,
    prompt_id text not null,
    version bigint not null,
    definition text not null,
    created_at bigint not null,
    primary key (workspace_id, prompt_id, version),
    foreign key (workspace_id, prompt_id) references prompts (workspace_id, prompt_id)
      on delete cascade
  )`,
  `create table memory (
    workspace_id text not null references workspaces (id) on delete cascade,
    key text not null,
    value text not null,
    tenant_id text references tenants (id) on delete cascade,
    is_public bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (workspace_id, key)
  )`,
  `create index memory_tenant on memory (tenant_id)`,
  `create table runs (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    prompt_id text not null,
    prompt_version bigint not null,
    user_id text not null,
    key_id text,
    request_id text not null,
    state text not null,
    locale text not null,
    model text,
    credits_used bigint,
    input_tokens bigint,
    output_tokens bigint,
    estimated_at bigint,
    finish_reason text,
    code text,
    detail text,
    created_at bigint not null,
    ended_at bigint
  )`,
  `create index runs_workspace on runs (workspace_id, created_at, id)`,
  `create table run_images (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    run_id text not null references runs (id) on delete cascade,
    media_type text not null,
    data text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index run_images_run on run_images (run_id)`,
  `create index run_images_age on run_images (expires_at)`,
]

/** The tokens that were charged, where a provider reports more than the hold paid for. */
const billed: readonly string[] = [
  `alter table runs add column billed_input bigint`,
  `alter table runs add column billed_output bigint`,
]

/** The inputs of runs, to run them again; the index finds the old ones. */
const inputs: readonly string[] = [
  `alter table runs add column inputs text`,
  `create index runs_inputs on runs (created_at) where inputs is not null`,
]

export const prompts: readonly Step[] = [baseline, billed, inputs]
