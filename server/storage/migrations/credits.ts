export const credits: readonly string[] = [
  `create table balances (
    workspace_id text primary key references workspaces (id) on delete cascade,
    month bigint not null,
    monthly_limit bigint not null,
    monthly bigint not null check (monthly >= 0),
    addons bigint not null check (addons >= 0),
    held bigint not null check (held >= 0),
    last_from_month bigint not null,
    entries bigint not null,
    low_since bigint,
    quota_month bigint,
    check (monthly + addons >= held)
  )`,
  `create table holds (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    amount bigint not null,
    from_month bigint not null,
    session_id text,
    created_at bigint not null,
    lease_until bigint not null
  )`,
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
  )`,
  `create unique index ledger_addon on ledger (workspace_id, reference) where type = 'addon'`,
]

/** What was used is kept by itself, so that a change of the limit does not forget it. */
export const creditsUsed: readonly string[] = [
  `alter table balances add column used bigint not null default 0`,
  `update balances set used = coalesce((
    select -sum(amount) from ledger
    where ledger.workspace_id = balances.workspace_id and ledger.type = 'settle'
      and ledger.source = 'monthly' and ledger.created_at >= balances.month
  ), 0)`,
]

/** A hold may take less than it asked for; the statement that takes it tells how much. */
export const creditsShrinking: readonly string[] = [
  `alter table balances add column last_held bigint not null default 0`,
]
