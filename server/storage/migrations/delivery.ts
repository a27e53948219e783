import type { Dialect } from '../database.ts'
import type { Step } from '../migrate.ts'

/**
 * The queue of webhook deliveries and its history. No foreign keys: history outlives its
 * endpoints, and the queue is the hottest table. `tier` is 0 for first attempts and 1 for retries;
 * the partial indexes let a claim and a look-up of the next retry read the rows that they return
 * alone, however long the backlog is. A lease is in no index, so that a claim rewrites the row and
 * nothing else.
 */
function baseline(dialect: Dialect): readonly string[] {
  return [...TABLES, ...(dialect === 'postgres' ? POSTGRES_STORAGE : [])]
}

const TABLES: readonly string[] = [
  `create table deliveries (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    body text not null,
    tier bigint not null,
    attempt bigint not null,
    attempts bigint not null,
    next_at bigint,
    held_at bigint,
    lease_token text,
    lease_until bigint,
    created_at bigint not null,
    session_id text
  )`,
  `create index deliveries_held on deliveries (endpoint_id, held_at, family)
    where held_at is not null`,
  `create index deliveries_endpoint on deliveries (endpoint_id, created_at, id)`,
  `create index deliveries_first on deliveries (endpoint_id, next_at)
    where tier = 0 and next_at is not null`,
  `create index deliveries_again on deliveries (endpoint_id, next_at)
    where tier = 1 and next_at is not null`,
  `create index deliveries_retry on deliveries (next_at, endpoint_id)
    where tier = 1 and next_at is not null`,
  // Long waiting rows by conversation. First attempts are left out: they come and go.
  `create index deliveries_session on deliveries (session_id)
    where session_id is not null and (tier = 1 or held_at is not null)`,
  `create table delivery_attempts (
    delivery_id text not null,
    number bigint not null,
    workspace_id text not null,
    started_at bigint not null,
    status bigint,
    error text,
    latency_ms bigint,
    answer text,
    primary key (delivery_id, number)
  )`,
  `create index delivery_attempts_age on delivery_attempts (started_at)`,
  `create table finished_deliveries (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    state text not null,
    attempts bigint not null,
    created_at bigint not null,
    finished_at bigint not null,
    session_id text,
    attempted_at bigint,
    status bigint,
    latency_ms bigint,
    answer text
  )`,
  `create index finished_deliveries_endpoint on finished_deliveries (endpoint_id, created_at, id)`,
  `create index finished_deliveries_age on finished_deliveries (finished_at)`,
  `create index finished_deliveries_session on finished_deliveries (session_id)
    where session_id is not null`,
  `create table dead_letters (
    id text primary key,
    workspace_id text not null,
    family text not null,
    endpoint_id text not null,
    event text not null,
    body text not null,
    attempts bigint not null,
    created_at bigint not null,
    died_at bigint not null,
    expires_at bigint not null,
    session_id text
  )`,
  `create index dead_letters_workspace on dead_letters (workspace_id, family, died_at, id)`,
  `create index dead_letters_endpoint on dead_letters (endpoint_id, created_at, id)`,
  `create index dead_letters_age on dead_letters (expires_at)`,
  `create index dead_letters_session on dead_letters (session_id) where session_id is not null`,
  `create index dead_letters_died on dead_letters (endpoint_id, died_at)`,
  `create table delivery_recoveries (
    id text primary key,
    endpoint_id text not null,
    since bigint not null,
    until bigint not null,
    retries bigint not null,
    sent bigint not null,
    created_at bigint not null,
    finished_at bigint
  )`,
  `create index delivery_recoveries_open on delivery_recoveries (created_at)
    where finished_at is null`,
]

/**
 * Room on each page for the row version that a claim writes, and vacuum before the queue bloats.
 */
const POSTGRES_STORAGE: readonly string[] = [
  `alter table deliveries set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0)`,
]

export const delivery: readonly Step[] = [baseline]
