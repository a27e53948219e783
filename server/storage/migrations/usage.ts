/**
 * What was used, counted in the transaction that settles it. The balance remembers which day it is
 * in the workspace's time zone, so that a settlement need not ask. The second index finds the few
 * rows of the ledger that no run wrote.
 */
export const usage: readonly string[] = [
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
  )`,
  `alter table balances add column day text not null default ''`,
  `alter table balances add column day_from bigint not null default 0`,
  `alter table balances add column day_until bigint not null default 0`,
  `create index ledger_time on ledger (workspace_id, created_at, sequence)`,
  `create index ledger_rare on ledger (workspace_id, sequence)
    where type in ('grant', 'addon', 'expire', 'adjust')`,
]

/** A cancelled plan goes on until its month ends; the index finds the months that have ended. */
export const cancellation: readonly string[] = [
  `alter table balances add column ends_at bigint`,
  `create index balances_month on balances (month, workspace_id)`,
]

/** What a hold and a settlement took is worked out beside the database, not read back from it. */
export const workedOut: readonly string[] = [
  `alter table balances drop column last_held`,
  `alter table balances drop column last_from_month`,
]
