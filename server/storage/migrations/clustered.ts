/**
 * The tables that each run writes to are kept in the order of their keys on SQLite, instead of beside
 * an index of them: half as much to write. Postgres has no such tables.
 */
export const clustered: readonly string[] = [
  `create table ledger_clustered (
    id text not null,
    workspace_id text not null references workspaces (id) on delete cascade,
    type text not null,
    amount bigint not null,
    source text not null,
    monthly_after bigint not null,
    addons_after bigint not null,
    held_after bigint not null,
    run_id text,
    session_id text,
    reference text,
    created_at bigint not null,
    sequence bigint not null,
    primary key (workspace_id, sequence)
  ) without rowid`,
  `insert into ledger_clustered select id, workspace_id, type, amount, source, monthly_after,
    addons_after, held_after, run_id, session_id, reference, created_at, sequence from ledger`,
  `drop table ledger`,
  `alter table ledger_clustered rename to ledger`,
  `create unique index ledger_addon on ledger (workspace_id, reference) where type = 'addon'`,
  `create index ledger_time on ledger (workspace_id, created_at, sequence)`,
  `create index ledger_rare on ledger (workspace_id, sequence)
    where type in ('grant', 'addon', 'expire', 'adjust')`,
  `create table holds_clustered (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    amount bigint not null,
    from_month bigint not null,
    session_id text,
    created_at bigint not null,
    lease_until bigint not null
  ) without rowid`,
  `insert into holds_clustered select id, workspace_id, amount, from_month, session_id, created_at,
    lease_until from holds`,
  `drop table holds`,
  `alter table holds_clustered rename to holds`,
  `create table usage_days_clustered (
    workspace_id text not null references workspaces (id) on delete cascade,
    kind text not null,
    day text not null,
    subject text not null,
    runs bigint not null,
    credits bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (workspace_id, kind, day, subject)
  ) without rowid`,
  `insert into usage_days_clustered select workspace_id, kind, day, subject, runs, credits,
    input_tokens, output_tokens from usage_days`,
  `drop table usage_days`,
  `alter table usage_days_clustered rename to usage_days`,
]
