import { type Transaction, sharedRead } from '../context.ts'
import { dayOf } from '../lib/days.ts'
import { findTimeZone } from '../platform/auth/store.ts'
import type { Metric, NewCount, SubjectKind } from './schema.ts'
import {
  type DayCount,
  type SubjectCount,
  incrementDayMetrics,
  incrementSubjectMetric,
} from './store.ts'

/** Names of a site per day: clients choose names, and the table has to stay small. */
const MAX_NAMES: Record<SubjectKind, number> = {
  page: 100,
  event: 100,
  number: 200,
  response: 100,
}

/** The counts of one transaction, summed by site and day. */
interface CounterSums {
  days: Map<string, DayCount>
  subjects: Map<string, SubjectCount>
}

/** The time zone of a workspace, by which a count belongs to a day. */
export const readTimeZone = sharedRead((tx, workspaceId: string) =>
  findTimeZone(tx.db, workspaceId),
)

const countsOf = new WeakMap<Transaction, NewCount[]>()

/** Buffers a count; a before-commit hook writes the sums of the transaction. */
export function addCount(tx: Transaction, count: NewCount): void {
  const counts = countsOf.get(tx)
  if (counts) {
    counts.push(count)
    return
  }
  countsOf.set(tx, [count])
  tx.beforeCommit(flushCounters)
}

/**
 * Writes the counts of a transaction. Rows are locked in one order, because many transactions lock the
 * same rows. A count belongs to the day of its time in the workspace's time zone.
 */
async function flushCounters(tx: Transaction): Promise<void> {
  const { db } = tx
  const now = tx.now()
  const zones = new Map<string, string>()
  const sums: CounterSums = { days: new Map(), subjects: new Map() }
  for (const count of countsOf.get(tx) ?? []) {
    const { workspaceId, at = now } = count
    const zone = zones.get(workspaceId) ?? (await readTimeZone(tx, workspaceId))
    if (zone === undefined) continue
    zones.set(workspaceId, zone)
    addToSums(sums, count, dayOf(at, zone).name)
  }
  await incrementDayMetrics(db, sortedByKey(sums.days))
  for (const one of sortedByKey(sums.subjects))
    await incrementSubjectMetric(db, one, MAX_NAMES[one.kind])
}

function addToSums({ days, subjects }: CounterSums, count: NewCount, day: string): void {
  const { workspaceId, tenantId } = count
  const place = { workspaceId, tenantId, day }
  const key = `${workspaceId} ${tenantId} ${day}`
  if (count.metrics) {
    const known: DayCount = days.get(key) ?? { ...place, metrics: {} }
    days.set(key, { ...known, metrics: addMetrics(known.metrics, count.metrics) })
  }
  for (const { kind, subject, count: times, amount = 0 } of count.subjects ?? []) {
    const subjectKey = `${key} ${kind} ${subject}`
    const known = subjects.get(subjectKey)
    subjects.set(subjectKey, {
      ...place,
      kind,
      subject,
      count: times + (known?.count ?? 0),
      amount: amount + (known?.amount ?? 0),
    })
  }
}

function addMetrics(
  one: Partial<Record<Metric, number>>,
  other: Partial<Record<Metric, number>>,
): Partial<Record<Metric, number>> {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value
  return sum
}

function sortedByKey<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value)
}
