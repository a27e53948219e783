/** What sites with a `daily_credit_cap` have used on a day of their own time zone, and hold now. */
export const dailyCaps: readonly string[] = [
  `create table tenant_spent (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    used bigint not null,
    primary key (workspace_id, tenant_id, day)
  )`,
  `create table tenant_holds (
    hold_id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    amount bigint not null
  )`,
  `create index tenant_holds_tenant on tenant_holds (tenant_id)`,
]
