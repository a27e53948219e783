import type { Step } from '../migrate.ts'

/** A tenant's test set: its questions, the queue of its runs, and a run's results. */
const testSets: readonly string[] = [
  `create table test_questions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    question text not null,
    expected text not null,
    created_at bigint not null
  )`,
  `create index test_questions_tenant on test_questions (tenant_id, created_at, id)`,
  `create table test_runs (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    user_id text not null,
    key_id text,
    state text not null,
    due_at bigint not null,
    attempts bigint not null,
    lease_token text,
    lease_until bigint,
    error text,
    created_at bigint not null,
    ended_at bigint
  )`,
  `create index test_runs_tenant on test_runs (tenant_id, created_at)`,
  `create index test_runs_due on test_runs (due_at) where state = 'waiting'`,
  `create index test_runs_workspace on test_runs (workspace_id, lease_until)`,
  // One open run of a tenant at a time.
  `create unique index test_runs_open on test_runs (tenant_id) where state = 'waiting'`,
  `create table test_results (
    run_id text not null references test_runs (id) on delete cascade,
    question_id text not null references test_questions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    outcome text not null,
    is_found bigint,
    answer text not null,
    confidence double precision not null,
    credits bigint not null,
    primary key (run_id, question_id)
  )`,
  `create index test_results_question on test_results (question_id)`,
]

/** Fair claims step from workspace to workspace. */
const fairTurns: readonly string[] = [
  `create index test_runs_turn on test_runs (workspace_id, due_at) where state = 'waiting'`,
]

export const evaluation: readonly Step[] = [testSets, fairTurns]
