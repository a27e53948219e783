import type { Context, Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { toMilli } from '../lib/money.ts'
import { nextMonth } from '../lib/months.ts'
import { PLANS, type PlanId } from '../platform/auth/plans.ts'
import { type WorkspaceRow, findWorkspace, updatePlan } from '../platform/auth/store.ts'
import { type BalanceRow, findBalance, savePlanEnd } from './store.ts'

/** The plan of a workspace whose paid plan has ended. */
const WITHOUT_PLAN: PlanId = 'starter'
export const LIMIT_WITHOUT_PLAN = toMilli(PLANS[WITHOUT_PLAN].monthlyCredits)

/** Whether a cancelled plan has ended at the start of a month. */
export function hasEnded({ ends_at }: BalanceRow, month: number): boolean {
  return ends_at !== null && ends_at <= month
}

/** Returns the end of a cancelled plan that still runs, else null. */
export async function parsePlanEnd(ctx: Context, workspaceId: string): Promise<number | null> {
  const balance = await findBalance(ctx.db, workspaceId)
  return balance && balance.ends_at !== null && balance.ends_at > ctx.now() ? balance.ends_at : null
}

/**
 * Changes a workspace's plan and emits the change; the move from a paid plan to the free one ends
 * the subscription, which is announced once: not again after a cancellation with `endsAt`. The
 * caller holds the lock of the balance, which orders concurrent changes.
 */
export async function changePlan(
  tx: Transaction,
  workspace: WorkspaceRow,
  { plan, endsAt }: { plan: PlanId; endsAt: number | null },
): Promise<void> {
  const { id: workspaceId, plan: previous } = workspace
  const at = tx.now()
  await updatePlan(tx.db, workspaceId, plan)
  const isUp = PLANS[plan].monthlyCredits > PLANS[previous].monthlyCredits
  await emitPlanChange(tx, workspace, { plan, change: isUp ? 'upgrade' : 'downgrade', at })
  if (plan === WITHOUT_PLAN && endsAt === null) await emitPlanEnd(tx, workspaceId, previous, at)
}

/** Cancels a paid plan at the end of the month. Idempotent; throws 409 without a paid plan. */
export async function cancelPlan(
  tx: Transaction,
  workspaceId: string,
  { plan, endsAt }: { plan: PlanId; endsAt: number | null },
): Promise<void> {
  if (endsAt !== null) return
  if (plan === WITHOUT_PLAN)
    throw new AppError('conflict', 'The workspace has no paid plan to cancel.')
  const end = nextMonth(tx.now())
  await savePlanEnd(tx.db, workspaceId, end)
  await emitPlanEnd(tx, workspaceId, plan, end)
}

/**
 * Renews a paid plan at the start of a month, or ends a cancelled one. Runs once per month and
 * workspace under the lock of the balance; months that the rollover skips are not renewed.
 */
export async function renewPlan(tx: Transaction, before: BalanceRow, month: number): Promise<void> {
  const workspace = await findWorkspace(tx.db, before.workspace_id)
  if (!workspace || workspace.plan === WITHOUT_PLAN) return
  if (before.ends_at !== null && hasEnded(before, month)) {
    await updatePlan(tx.db, workspace.id, WITHOUT_PLAN)
    const change = { plan: WITHOUT_PLAN, change: 'cancellation', at: before.ends_at } as const
    return emitPlanChange(tx, workspace, change)
  }
  await emit(tx, 'subscription.renewed', {
    workspaceId: workspace.id,
    data: {
      plan: workspace.plan,
      period_start: isoTime(month),
      period_end: isoTime(nextMonth(month)),
    },
  })
}

async function emitPlanChange(
  tx: Transaction,
  { id: workspaceId, plan: previous }: WorkspaceRow,
  changed: { plan: PlanId; change: 'upgrade' | 'downgrade' | 'cancellation'; at: number },
): Promise<void> {
  await emit(tx, 'subscription.plan_changed', {
    workspaceId,
    data: {
      previous_plan: previous,
      plan: changed.plan,
      change: changed.change,
      changed_at: isoTime(changed.at),
    },
  })
}

async function emitPlanEnd(
  tx: Transaction,
  workspaceId: string,
  plan: PlanId,
  at: number,
): Promise<void> {
  const data = { plan, ends_at: isoTime(at) }
  await emit(tx, 'subscription.cancelled', { workspaceId, data })
}
