import { sql } from 'kysely'
import type { Services, Transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { PLAN_RANKS, type PlanId } from '../platform/auth/plans.ts'
import type { Db } from '../storage/database.ts'
import { dialectOf } from '../storage/dialect.ts'
import { type Quota, QuotaName } from './schema.ts'

/** Measures what a workspace uses of a quota at a time. */
type Measure = (db: Db, workspaceId: string, now: number) => Promise<number>

/** The parts of each quota's usage, which add up: several slices store bytes. */
export type QuotaUsage = Readonly<Record<QuotaName, readonly Measure[]>>

declare module '../context.ts' {
  interface Services {
    readonly quotaUsage: QuotaUsage
  }
}

/** Amounts by which a transaction is about to raise the usage. */
export type QuotaIncrease = Partial<Record<QuotaName, number>>

const NOUNS: Record<QuotaName, string> = {
  sites: 'sites',
  stored_bytes: 'bytes of knowledge and attachments',
  passages: 'passages of knowledge',
  members: 'members, open invitations included',
}

/**
 * Throws 402 `quota_exceeded` with `quota`, `used` and `allowed` when the increase does not fit in the
 * plan of the workspace. Call it before the rows are inserted, in their transaction: it locks the
 * quotas of the workspace until the commit, so that concurrent increases cannot exceed a quota
 * together.
 */
export async function reserveQuota(
  tx: Transaction,
  workspaceId: string,
  increase: QuotaIncrease,
): Promise<void> {
  const exceeded = await findExceededQuota(tx, workspaceId, increase)
  if (!exceeded) return
  const { name, used, allowed } = exceeded
  throw new AppError('quota_exceeded', describeExceeded(exceeded), {
    more: { quota: name, used, allowed },
  })
}

/**
 * Returns the first quota that the increase would exceed, for jobs that record a refusal instead of
 * throwing it. Locks like `reserveQuota`. A decrease always fits, also above the quota. `share` is the
 * part of a quota that may be filled.
 */
export async function findExceededQuota(
  tx: Transaction,
  workspaceId: string,
  increase: QuotaIncrease,
  share = 1,
): Promise<Quota | undefined> {
  const raised = QuotaName.options.filter((name) => (increase[name] ?? 0) > 0)
  if (raised.length === 0) return undefined
  const plan = await lockPlan(tx.db, workspaceId)
  for (const name of raised) {
    const quota = await measureQuota(tx, { workspaceId, plan, name })
    if (quota.used + (increase[name] ?? 0) > quota.allowed * share) return quota
  }
  return undefined
}

/** Returns a sentence for the person whose addition was refused. */
export function describeExceeded({ name, used, allowed }: Quota): string {
  return `The plan allows ${allowed} ${NOUNS[name]}, and ${used} are used. Remove what is not needed, or choose a higher plan.`
}

/** Returns every quota of a workspace, without a lock. */
export function readQuotas(
  ctx: Services & { db: Db },
  { id: workspaceId, plan }: { id: string; plan: PlanId },
): Promise<Quota[]> {
  return Promise.all(
    QuotaName.options.map((name) => measureQuota(ctx, { workspaceId, plan, name })),
  )
}

async function measureQuota(
  ctx: Services & { db: Db },
  { workspaceId, plan, name }: { workspaceId: string; plan: PlanId; name: QuotaName },
): Promise<Quota> {
  let used = 0
  for (const measure of ctx.quotaUsage[name]) used += await measure(ctx.db, workspaceId, ctx.now())
  return { name, used, allowed: ctx.config.quotas[name][PLAN_RANKS[plan]] }
}

/**
 * Returns the plan and locks the workspace's row on Postgres; SQLite has a single writer. The lock
 * lets other transactions reference the row, and comes after a tenant's lock.
 */
async function lockPlan(db: Db, workspaceId: string): Promise<PlanId> {
  const lock = dialectOf(db) === 'postgres' ? sql`for no key update` : sql``
  const { rows } = await sql<{ plan: PlanId }>`
    select plan from workspaces where id = ${workspaceId} ${lock}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('not_found', 'This workspace does not exist.')
  return row.plan
}
