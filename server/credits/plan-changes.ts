import type { Context, Transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { toMilli } from '../lib/money.ts'
import { nextMonth } from '../lib/months.ts'
import { PLANS, type PlanId } from '../platform/auth/plans.ts'
import { type WorkspaceRow, findWorkspace, updatePlan } from '../platform/auth/store.ts'
import { type BalanceRow, findBalance, savePlanEnd } from './store.ts'

/** What a workspace falls back to when its paid plan ends. */
const WITHOUT_PLAN: PlanId = 'starter'
export const LIMIT_WITHOUT_PLAN = toMilli(PLANS[WITHOUT_PLAN].monthlyCredits)

/** Whether a cancelled plan has ended when a month begins. */
export function hasEnded({ ends_at }: BalanceRow, month: number): boolean {
  return ends_at !== null && ends_at <= month
}

/** When the plan ends, if it was cancelled. */
export async function parsePlanEnd(ctx: Context, workspaceId: string): Promise<number | null> {
  const balance = await findBalance(ctx.db, workspaceId)
  return balance && balance.ends_at !== null && balance.ends_at > ctx.now() ? balance.ends_at : null
}

/**
 * Moves a workspace to another plan and announces it; from a paid plan to none ends the
 * subscription. The balance must be locked, which keeps changes in order.
 */
export async function changePlan(
  tx: Transaction,
  workspace: WorkspaceRow,
  plan: PlanId,
): Promise<void> {
  const { id: workspaceId, plan: previous } = workspace
  const at = tx.now()
  await updatePlan(tx.db, workspaceId, plan)
  const isUp = PLANS[plan].monthlyCredits > PLANS[previous].monthlyCredits
  await emitPlanChange(tx, workspace, { plan, change: isUp ? 'upgrade' : 'downgrade', at })
  if (plan === WITHOUT_PLAN) await emitPlanEnd(tx, workspaceId, previous, at)
}

/** Ends a paid plan with the month. Nothing when that was done before; 409 when there is none. */
export async function cancelPlan(
  tx: Transaction,
  workspaceId: string,
  { plan, endsAt }: { plan: PlanId; endsAt: number | null },
): Promise<void> {
  if (endsAt !== null) return
  if (plan === WITHOUT_PLAN) throw new AppError('conflict', 'There is no paid plan to cancel.')
  const end = nextMonth(tx.now())
  await savePlanEnd(tx.db, workspaceId, end)
  await emitPlanEnd(tx, workspaceId, plan, end)
}

/**
 * At the beginning of a month: a paid plan is renewed, or ends if it was cancelled. Called once a
 * month and workspace, with the balance locked; months in which nothing ran are not renewed.
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
