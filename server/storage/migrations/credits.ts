import type { Dialect } from '../database.ts'
import type { Step } from '../migrate.ts'

/**
 * The tables that each run writes to are clustered by their primary keys on SQLite: half the writes of
 * a table with an index beside it. Postgres does not cluster tables.
 */
function baseline(dialect: Dialect): readonly string[] {
  const clustered = dialect === 'sqlite' ? ' without rowid' : ''
  return [
    // `used` outlives a change of the limit. `day` caches the day in the workspace's time zone for
    // settlements.
    `create table balances (
    workspace_id text primary key references workspaces (id) on delete cascade,
    month bigint not null,
    monthly_limit bigint not null,
    monthly bigint not null check (monthly >= 0),
    addons bigint not null check (addons >= 0),
    held bigint not null check (held >= 0),
    entries bigint not null,
    low_since bigint,
    quota_month bigint,
    used bigint not null default 0,
    day text not null default '',
    day_from bigint not null default 0,
    day_until bigint not null default 0,
    ends_at bigint,
    check (monthly + addons >= held)
  )`,
    // Months that have ended.
    `create index balances_month on balances (month, workspace_id)`,
    `create table ledger (
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
  )${clustered}`,
    `create unique index ledger_addon on ledger (workspace_id, reference) where type = 'addon'`,
    `create index ledger_time on ledger (workspace_id, created_at, sequence)`,
    // The few ledger rows of other origin than a run.
    `create index ledger_rare on ledger (workspace_id, sequence)
    where type in ('grant', 'addon', 'expire', 'adjust')`,
    `create table holds (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    amount bigint not null,
    from_month bigint not null,
    session_id text,
    created_at bigint not null,
    lease_until bigint not null,
    tenant_id text,
    day text
  )${clustered}`,
    `create index holds_tenant on holds (tenant_id, day) where tenant_id is not null`,
    // Usage, counted in the transaction that settles it.
    `create table usage_days (
    workspace_id text not null references workspaces (id) on delete cascade,
    kind text not null,
    day text not null,
    subject text not null,
    runs bigint not null,
    credits bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (workspace_id, kind, day, subject)
  )${clustered}`,
  ]
}

/** A low mark of the workspace's own. */
const warning: readonly string[] = [
  `alter table balances add column warning bigint`,
  `alter table balances add column warned_at bigint`,
]

/** The tokens that a settlement charged, where a provider reports more than the hold paid for. */
const billed: readonly string[] = [
  `alter table ledger add column billed_input bigint`,
  `alter table ledger add column billed_output bigint`,
]

/**
 * The sweeper of lapsed holds looks for the oldest leases. Not on SQLite: the table of its single process
 * holds a row for each run in flight, and an index would cost each of them 10 µs, against a few for a
 * sweep. On Postgres its cost is too small to measure.
 */
const lapsing: Step = {
  expands: true,
  statements: (dialect) =>
    dialect === 'postgres' ? [`create index holds_lease on holds (lease_until)`] : [],
}

export const credits: readonly Step[] = [baseline, warning, billed, lapsing]
