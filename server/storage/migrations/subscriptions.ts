import type { Step } from '../migrate.ts'

/**
 * Webhooks of the platform. `switched_off_at` is the user's switch, `disabled_at` the service's
 * state; `pings` counts the pings that were started, so that the last one decides. A deleted
 * subscription stays for the history of its deliveries.
 */
const baseline: readonly string[] = [
  `create table subscriptions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    url text not null,
    events text not null,
    secret text not null,
    previous_secrets text not null,
    switched_off_at bigint,
    disabled_at bigint,
    disabled_reason text,
    pings bigint not null,
    ping_status bigint,
    ping_error text,
    ping_latency_ms bigint,
    pinged_at bigint,
    deleted_at bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index subscriptions_workspace on subscriptions (workspace_id, created_at, id)`,
]

export const subscriptions: readonly Step[] = [baseline]
