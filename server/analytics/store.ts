import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../storage/database.ts'
import { type BulkStatement, executeMany } from '../storage/bulk.ts'
import { prepared } from '../storage/prepared.ts'
import { MAX_SUM, METRICS, type Metric, type SubjectKind } from './schema.ts'

/** Increments of a site's counters on a day. */
export interface DayCount {
  workspaceId: string
  tenantId: string
  day: string
  metrics: Partial<Record<Metric, number>>
}

/** Increments the counters of days, in one statement and in the order of the rows. */
export async function incrementDayMetrics(db: Db, added: readonly DayCount[]): Promise<void> {
  const rows = added.map(({ workspaceId, tenantId, day, metrics }) => [
    workspaceId,
    tenantId,
    day,
    ...METRICS.map((name) => metrics[name] ?? 0),
  ])
  await executeMany(db, UPSERT_DAYS, rows)
}

const SUMS = METRICS.map((name) => `${name} = analytics_days.${name} + excluded.${name}`)
const UPSERT_DAYS: BulkStatement = {
  columns: ['text', 'text', 'text', ...METRICS.map(() => 'bigint' as const)],
  hints: { isPipelined: true },
  sql: (source) => `
    insert into analytics_days (workspace_id, tenant_id, day, ${METRICS.join(', ')})
    select * from ${source} as added where true
    on conflict (workspace_id, day, tenant_id) do update set ${SUMS.join(', ')}`,
}

/** An increment of a site's named counter on a day. */
export interface SubjectCount {
  workspaceId: string
  tenantId: string
  day: string
  kind: SubjectKind
  subject: string
  count: number
  amount: number
}

/** Increments a named counter; the empty name takes the counts beyond `max` names of a day. */
export async function incrementSubjectMetric(
  db: Db,
  added: SubjectCount,
  max: number,
): Promise<void> {
  const { workspaceId, kind, day, tenantId, subject, count, amount } = added
  const place = sql`workspace_id = ${workspaceId} and kind = ${kind} and day = ${day}
    and tenant_id = ${tenantId}`
  await sql`
    insert into analytics_subjects (workspace_id, kind, day, tenant_id, subject, count, amount)
    select cast(${workspaceId} as text), cast(${kind} as text), cast(${day} as text),
      cast(${tenantId} as text),
      case when exists (select 1 from analytics_subjects where ${place} and subject = ${subject})
        or (select count(*) from analytics_subjects where ${place}) < ${max}
        then cast(${subject} as text) else '' end,
      cast(${count} as bigint), cast(${amount} as double precision)
    where 1 = 1
    on conflict (workspace_id, kind, day, tenant_id, subject) do update set
      count = analytics_subjects.count + excluded.count,
      amount = ${clamped(sql`${clamped(sql`analytics_subjects.amount`)} + excluded.amount`)}`.execute(
    db,
  )
}

/**
 * Returns an amount within `MAX_SUM`. Bounds the terms of a sum too, because Postgres throws on an
 * overflow; an infinite amount of an earlier version becomes the bound.
 */
function clamped(amount: RawBuilder<unknown>): RawBuilder<number> {
  // A double, because SQLite throws on the overflow of an integer sum.
  const max = sql.raw(`cast(${MAX_SUM} as double precision)`)
  return sql`(case when ${amount} > ${max} then ${max} when ${amount} < -${max} then -${max} else ${amount} end)`
}

/** A range of days, both included, of one site or of all sites of a workspace. */
export interface AnalyticsRange {
  workspaceId: string
  tenantId: string | undefined
  from: string
  to: string
}

/** Returns the counters of each day with counts, in order. */
export async function listDays(
  db: Db,
  range: AnalyticsRange,
): Promise<({ day: string } & Record<Metric, number>)[]> {
  const sums = sql.raw(METRICS.map((name) => `sum(${name}) as ${name}`).join(', '))
  const { rows } = await sql<{ day: string } & Record<Metric, number | string>>`
    select day, ${sums} from analytics_days where ${rangeFilter(range)}
    group by day order by day`.execute(db)
  return rows.map((row) => {
    const counts = METRICS.map((name): [Metric, number] => [name, Number(row[name])])
    return { day: row.day, ...parseMetrics(counts) }
  })
}

function parseMetrics(counts: readonly [Metric, number][]): Record<Metric, number> {
  const known = new Map(counts)
  const of = (name: Metric) => known.get(name) ?? 0
  return {
    sessions: of('sessions'),
    visitor_messages: of('visitor_messages'),
    bot_messages: of('bot_messages'),
    operator_messages: of('operator_messages'),
    answered: of('answered'),
    unanswered: of('unanswered'),
    handoffs: of('handoffs'),
    leads: of('leads'),
    appointments: of('appointments'),
    talks: of('talks'),
    longer_talks: of('longer_talks'),
    first_responses: of('first_responses'),
    first_response_ms: of('first_response_ms'),
    ratings: of('ratings'),
    rating_sum: of('rating_sum'),
    satisfied: of('satisfied'),
    capped: of('capped'),
    widget_events: of('widget_events'),
  }
}

/** Returns the named counters of a kind, summed over the days, the largest first. */
export async function listSubjects(
  db: Db,
  range: AnalyticsRange & { kind: SubjectKind; limit: number },
): Promise<{ subject: string; count: number; amount: number }[]> {
  const { rows } = await sql<{ subject: string; count: number | string; amount: number }>`
    select subject, sum(count) as count, sum(${clamped(sql`amount`)}) as amount
    from analytics_subjects
    where kind = ${range.kind} and ${rangeFilter(range)}
    group by subject order by sum(count) desc, subject limit ${range.limit}`.execute(db)
  return rows.map(({ subject, count, amount }) => ({ subject, count: Number(count), amount }))
}

function rangeFilter({ workspaceId, tenantId, from, to }: AnalyticsRange) {
  const site = tenantId === undefined ? sql`` : sql`and tenant_id = ${tenantId}`
  return sql`workspace_id = ${workspaceId} and day >= ${from} and day <= ${to} ${site}`
}

/** Returns the session's first messages of its visitor; three suffice to recognize the second. */
export async function listFirstMessages(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<{ id: string; created_at: number }[]> {
  const { rows } = await prepared<{ id: string; created_at: number }>`
    select id, created_at from messages where workspace_id = ${place.workspaceId}
      and session_id = ${place.sessionId} and role = 'visitor'
    order by sequence limit 3`.execute(db)
  return rows
}

/** Starts a visitor's wait; idempotent, a running wait keeps its start. */
export async function beginWait(
  db: Db,
  place: { workspaceId: string; sessionId: string },
  now: number,
): Promise<void> {
  await sql`
    insert into analytics_waits (session_id, workspace_id, since)
    values (${place.sessionId}, ${place.workspaceId}, ${now})
    on conflict (session_id) do nothing`.execute(db)
}

/** Ends a wait and returns its start; `undefined` without a wait. */
export async function endWait(
  db: Db,
  place: { workspaceId: string; sessionId: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ since: number }>`
    delete from analytics_waits where session_id = ${place.sessionId}
      and workspace_id = ${place.workspaceId} returning since`.execute(db)
  return rows[0]?.since
}
