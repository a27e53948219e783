import { dayOf } from '../lib/days.ts'
import { findWorkspace } from '../platform/store.ts'
import type { Db } from '../storage/database.ts'
import type { Metric, NewCount, SubjectKind } from './schema.ts'
import { type DayCount, type SubjectCount, addToDay, addToSubject } from './store.ts'

/** So many names a site has on a day; whoever makes names up fills no disk. */
const MOST_NAMES: Record<SubjectKind, number> = {
  page: 100,
  event: 100,
  number: 200,
  response: 100,
}

/** What one transaction counts, put together by site and day. */
interface Sums {
  days: Map<string, DayCount>
  subjects: Map<string, SubjectCount>
}

/**
 * Writes down what a transaction counted, at its end and in one order, because it locks rows that
 * many wait for. A count falls on the day that it is in the workspace's time zone.
 */
export async function keepCounts(db: Db, counted: readonly NewCount[], now: number): Promise<void> {
  if (counted.length === 0) return
  const zones = new Map<string, string>()
  const sums: Sums = { days: new Map(), subjects: new Map() }
  for (const count of counted) {
    const { workspaceId, at = now } = count
    const zone = zones.get(workspaceId) ?? (await findWorkspace(db, workspaceId))?.time_zone
    if (zone === undefined) continue
    zones.set(workspaceId, zone)
    add(sums, count, dayOf(at, zone).name)
  }
  for (const day of inOrder(sums.days)) await addToDay(db, day)
  for (const one of inOrder(sums.subjects)) await addToSubject(db, one, MOST_NAMES[one.kind])
}

function add({ days, subjects }: Sums, count: NewCount, day: string): void {
  const { workspaceId, tenantId } = count
  const place = { workspaceId, tenantId, day }
  const key = `${workspaceId} ${tenantId} ${day}`
  if (count.metrics) {
    const known: DayCount = days.get(key) ?? { ...place, metrics: {} }
    days.set(key, { ...known, metrics: sumOf(known.metrics, count.metrics) })
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

function sumOf(
  one: Partial<Record<Metric, number>>,
  other: Partial<Record<Metric, number>>,
): Partial<Record<Metric, number>> {
  const sum: Record<string, number> = { ...one }
  for (const [name, value] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + value
  return sum
}

function inOrder<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value)
}
