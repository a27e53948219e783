import { sql } from 'kysely'
import type { Day } from '../lib/days.ts'
import type { Milli } from '../lib/money.ts'
import type { Db } from '../storage/database.ts'
import { type BulkStatement, executeMany } from '../storage/bulk.ts'
import type { UsageKind } from './schema.ts'

/** The usage of one subject, or of one day, within a range of days. */
export interface UsageSum {
  subject: string
  runs: number
  credits: Milli
  input_tokens: number
  output_tokens: number
}

/** A range of days, both included. */
export interface DayRange {
  from: string
  to: string
}

/** The counters of a run and its tokens. */
export interface RunUsage {
  subjects: readonly { kind: UsageKind; subject: string }[]
  inputTokens: number
  outputTokens: number
}

/** Adds runs to the day's counter of each of their subjects. */
export async function addUsage(
  db: Db,
  { workspaceId, day }: { workspaceId: string; day: string },
  runs: readonly (RunUsage & { cost: Milli })[],
): Promise<void> {
  const sums = new Map<string, [string, string, number, Milli, number, number]>()
  for (const { subjects, cost, inputTokens, outputTokens } of runs) {
    for (const { kind, subject } of subjects) {
      const name = `${kind} ${subject}`
      const sum = sums.get(name) ?? [kind, subject, 0, 0, 0, 0]
      sum[2] += 1
      sum[3] += cost
      sum[4] += inputTokens
      sum[5] += outputTokens
      sums.set(name, sum)
    }
  }
  const rows = [...sums.values()].map((sum) => [workspaceId, day, ...sum])
  await executeMany(db, UPSERT_USAGE, rows)
}

const T = 'text'
const N = 'bigint'
const UPSERT_USAGE: BulkStatement = {
  columns: [T, T, T, T, N, N, N, N],
  hints: { isPipelined: true },
  sql: (source) => `
    insert into usage_days (workspace_id, day, kind, subject, runs, credits, input_tokens,
      output_tokens)
    select c0, c1, c2, c3, c4, c5, c6, c7 from ${source} as used where true
    on conflict (workspace_id, kind, day, subject) do update set
      runs = usage_days.runs + excluded.runs,
      credits = usage_days.credits + excluded.credits,
      input_tokens = usage_days.input_tokens + excluded.input_tokens,
      output_tokens = usage_days.output_tokens + excluded.output_tokens`,
}

/** Saves the current day of the workspace's time zone. */
export async function writeDay(db: Db, workspaceId: string, day: Day): Promise<void> {
  await sql`
    update balances set day = ${day.name}, day_from = ${day.from}, day_until = ${day.until}
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Returns a page of days, latest first, without days on which nothing ran. */
export async function listUsageDays(
  db: Db,
  workspaceId: string,
  page: DayRange & { limit: number; after: string | undefined },
): Promise<UsageSum[]> {
  const { rows } = await sql<UsageSum>`
    select day as subject, runs, credits, input_tokens, output_tokens from usage_days
    where workspace_id = ${workspaceId} and kind = 'day'
      and day >= ${page.from} and day <= ${page.to} and day < ${page.after ?? '9999'}
    order by day desc limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Returns a page of subjects by descending usage, then by name. */
export async function listUsageSubjects(
  db: Db,
  workspaceId: string,
  page: DayRange & {
    kind: UsageKind
    limit: number
    after: { credits: Milli; subject: string } | undefined
  },
): Promise<UsageSum[]> {
  const { after } = page
  const rest = after
    ? sql`where credits < ${after.credits}
        or (credits = ${after.credits} and subject > ${after.subject})`
    : sql``
  const { rows } = await sql<UsageSum>`
    select * from (
      select subject, sum(runs) as runs, sum(credits) as credits,
        sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
      from usage_days
      where workspace_id = ${workspaceId} and kind = ${page.kind}
        and day >= ${page.from} and day <= ${page.to}
      group by subject
    ) as sums ${rest}
    order by credits desc, subject limit ${page.limit + 1}`.execute(db)
  return rows
}

/** Returns the total usage of a range of days. */
export async function sumUsage(
  db: Db,
  workspaceId: string,
  days: DayRange,
): Promise<Omit<UsageSum, 'subject'>> {
  const { rows } = await sql<Omit<UsageSum, 'subject'>>`
    select coalesce(sum(runs), 0) as runs, coalesce(sum(credits), 0) as credits,
      coalesce(sum(input_tokens), 0) as input_tokens,
      coalesce(sum(output_tokens), 0) as output_tokens
    from usage_days
    where workspace_id = ${workspaceId} and kind = 'day'
      and day >= ${days.from} and day <= ${days.to}`.execute(db)
  const [sum] = rows
  if (!sum) throw new Error('The sum of the usage returned no row.')
  return sum
}
