import { type Context, type Transaction, transaction } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Milli, toMilli } from '../lib/money.ts'
import { type Actor, SYSTEM, recordAudit } from '../platform/audit/audit.ts'
import { PLANS, type PlanId } from '../platform/auth/plans.ts'
import {
  type NewUser,
  type WorkspaceRow,
  getWorkspace,
  insertUser,
  insertWorkspace,
  updateSuspension,
} from '../platform/auth/store.ts'
import {
  lockCurrentBalance,
  createBalance,
  clearLowIfRecovered,
} from '../credits/month-rollover.ts'
import { type BalanceRow, appendLedger, hasAddon, writeBalance } from '../credits/store.ts'
import { cancelPlan, changePlan } from '../credits/plan-changes.ts'

export interface WorkspaceSeed {
  name: string
  plan: PlanId
  locale: string
  timeZone: string
  monthlyCredits: number | undefined
  /** Undefined for a demo workspace, which has no users. */
  owner: { email: string; name: string; passwordHash: string } | undefined
}

/** Inserts a workspace with its owner and first month. Throws 409 for an e-mail that is in use. */
export async function createWorkspace(
  tx: Transaction,
  seed: WorkspaceSeed,
): Promise<{ workspace: WorkspaceRow; owner: NewUser | undefined }> {
  const now = tx.now()
  const workspace: WorkspaceRow = {
    id: newId('ws'),
    name: seed.name,
    locale: seed.locale,
    plan: seed.plan,
    time_zone: seed.timeZone,
    created_at: now,
    closed_at: null,
    suspended_at: null,
  }
  await insertWorkspace(tx.db, workspace)
  await createBalance(
    tx,
    workspace.id,
    toMilli(seed.monthlyCredits ?? PLANS[seed.plan].monthlyCredits),
  )
  const owner: NewUser | undefined = seed.owner && {
    id: newId('usr'),
    workspace_id: workspace.id,
    email: seed.owner.email,
    name: seed.owner.name,
    role: 'owner',
    password_hash: seed.owner.passwordHash,
    created_at: now,
  }
  if (owner && !(await insertUser(tx.db, owner))) {
    throw new AppError('conflict', 'This e-mail address is already in use.')
  }
  return { workspace, owner }
}

/**
 * Changes the plan, the monthly credits, or both; the month's usage stays. `cancelled` ends a paid
 * plan with the month, or revokes the cancellation. Locks the balance. Throws 404, and 409 without a
 * paid plan to cancel.
 */
export async function changeWorkspace(
  ctx: Context,
  workspaceId: string,
  change: {
    plan?: PlanId | undefined
    monthlyCredits?: number | undefined
    cancelled?: boolean | undefined
    /** The audit log's actor; the service when absent. */
    actor?: Actor
  },
): Promise<WorkspaceRow> {
  return transaction(ctx, async (tx) => {
    await getWorkspace(tx.db, workspaceId)
    // The balance is locked before the plan is read, so that concurrent changes see each other.
    const balance = await lockCurrentBalance(tx, workspaceId)
    const workspace = await getWorkspace(tx.db, workspaceId)
    const { plan = workspace.plan } = change
    const isOther = plan !== workspace.plan
    const credits = change.monthlyCredits ?? (isOther ? PLANS[plan].monthlyCredits : undefined)
    const endsAt = change.plan || change.cancelled === false ? null : balance.ends_at
    const changed = { ...balance, ends_at: endsAt }
    await (credits === undefined
      ? writeBalance(tx.db, changed)
      : setMonthlyLimit(tx, changed, toMilli(credits)))
    if (isOther) await changePlan(tx, workspace, { plan, endsAt: balance.ends_at })
    if (change.cancelled) await cancelPlan(tx, workspaceId, { plan, endsAt })
    await recordAudit(tx, workspaceId, {
      actor: change.actor ?? SYSTEM,
      action: 'workspace.plan_changed',
      details: {
        plan_before: workspace.plan,
        plan,
        ...(change.monthlyCredits === undefined ? {} : { monthly_credits: change.monthlyCredits }),
        ...(change.cancelled === undefined ? {} : { cancelled: change.cancelled }),
      },
    })
    return { ...workspace, plan }
  })
}

async function setMonthlyLimit(tx: Transaction, before: BalanceRow, limit: Milli): Promise<void> {
  const monthly = Math.max(0, limit - before.used, before.held - before.addons)
  const entries = before.entries + 1
  const after = clearLowIfRecovered({ ...before, monthly_limit: limit, monthly, entries })
  await writeBalance(tx.db, after)
  const amount = monthly - before.monthly
  await appendLedger(tx.db, after, [{ type: 'adjust', amount, source: 'monthly', at: tx.now() }])
}

/**
 * Suspends a workspace, or ends that: its members, keys, visitors and hooks get 403, and its
 * open streams end. Nothing is deleted. Idempotent. Throws 404.
 */
export async function suspendWorkspace(
  ctx: Context,
  workspaceId: string,
  { isSuspended, actor }: { isSuspended: boolean; actor: Actor },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { suspended_at: before } = await getWorkspace(tx.db, workspaceId)
    if ((before !== null) === isSuspended) return
    await updateSuspension(tx.db, workspaceId, isSuspended ? tx.now() : null)
    const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed'
    await recordAudit(tx, workspaceId, { actor, action })
    tx.afterCommit.push(() => {
      tx.suspensions.invalidate()
      tx.streams.checkNow()
    })
  })
}

/** Adds bought credits. Idempotent per reference. Throws 404. */
export async function addCredits(
  ctx: Context,
  workspaceId: string,
  addon: { credits: number; reference: string; actor?: Actor },
): Promise<void> {
  await transaction(ctx, (tx) => addCreditsInTx(tx, workspaceId, addon))
}

/** Adds bought credits in the transaction that records the payment. Idempotent per reference. */
export async function addCreditsInTx(
  tx: Transaction,
  workspaceId: string,
  addon: { credits: number; reference: string; actor?: Actor },
): Promise<void> {
  await getWorkspace(tx.db, workspaceId)
  const before = await lockCurrentBalance(tx, workspaceId)
  if (await hasAddon(tx.db, workspaceId, addon.reference)) return
  const amount = toMilli(addon.credits)
  const after = clearLowIfRecovered({
    ...before,
    addons: before.addons + amount,
    entries: before.entries + 1,
  })
  await writeBalance(tx.db, after)
  const { reference } = addon
  await appendLedger(tx.db, after, [
    { type: 'addon', amount, source: 'addon', reference, at: tx.now() },
  ])
  await recordAudit(tx, workspaceId, {
    actor: addon.actor ?? SYSTEM,
    action: 'credits.added',
    details: { credits: addon.credits, reference: addon.reference },
  })
}
