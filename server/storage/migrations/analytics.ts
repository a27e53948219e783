import type { Step } from '../migrate.ts'

/**
 * Counters per site and day of the workspace's time zone, written in the transaction that caused
 * them. `analytics_waits` holds the sessions that wait for an operator's first reply.
 */
const baseline: readonly string[] = [
  `create table analytics_days (
    workspace_id text not null references workspaces (id) on delete cascade,
    tenant_id text not null references tenants (id) on delete cascade,
    day text not null,
    sessions bigint not null,
    visitor_messages bigint not null,
    bot_messages bigint not null,
    operator_messages bigint not null,
    answered bigint not null,
    unanswered bigint not null,
    handoffs bigint not null,
    leads bigint not null,
    appointments bigint not null,
    talks bigint not null,
    longer_talks bigint not null,
    first_responses bigint not null,
    first_response_ms bigint not null,
    ratings bigint not null,
    rating_sum bigint not null,
    satisfied bigint not null,
    capped bigint not null,
    widget_events bigint not null,
    primary key (workspace_id, day, tenant_id)
  )`,
  `create table analytics_subjects (
    workspace_id text not null references workspaces (id) on delete cascade,
    kind text not null,
    day text not null,
    tenant_id text not null references tenants (id) on delete cascade,
    subject text not null,
    count bigint not null,
    amount double precision not null,
    primary key (workspace_id, kind, day, tenant_id, subject)
  )`,
  `create table analytics_waits (
    session_id text primary key references sessions (id) on delete cascade,
    workspace_id text not null references workspaces (id) on delete cascade,
    since bigint not null
  )`,
]

export const analytics: readonly Step[] = [baseline]
