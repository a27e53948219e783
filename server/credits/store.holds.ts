import type { Selectable } from 'kysely'
import type { Milli } from '../lib/money.ts'
import type { Db, Tables } from '../storage/database.ts'
import { dialectOf } from '../storage/open.ts'
import { statement } from '../storage/statement.ts'
import { endAtOnce, takeAtOnce } from './postgres.ts'
import { type BalanceRow, appendLedger } from './store.ts'
import { type RunUsage, addUsage } from './store.usage.ts'

export type HoldRow = Selectable<Tables['holds']>

/** A hold that is wanted: as much as `amount`, no less than `least`, in this month or a later one. */
export interface WantedHold {
  id: string
  workspaceId: string
  sessionId: string | null
  amount: Milli
  least: Milli
  month: number
  now: number
  leaseUntil: number
}

/** How a hold ends: what it cost, never more than was held, and what that was for, if anything. */
export interface HoldEnd {
  id: string
  workspaceId: string
  cost: Milli
  usage: RunUsage | undefined
  month: number
  now: number
  /** Only if its lease has ended by then. */
  lapsedBy?: number
}

/**
 * Takes a hold from the balance if it has as much, and writes it down with its rows of the ledger.
 * Answers the balance after it; what was taken is its `last_held`.
 */
export async function takeHold(db: Db, wanted: WantedHold): Promise<BalanceRow | undefined> {
  if (dialectOf(db) === 'postgres') return takeAtOnce(db, wanted)
  const { amount, least, month, workspaceId } = wanted
  const { rows } = await statement<BalanceRow>`
    update balances set held = held + min(${amount}, monthly + addons - held),
      last_held = min(${amount}, monthly + addons - held), entries = entries + 2
    where workspace_id = ${workspaceId} and month >= ${month}
      and monthly + addons - held >= ${least}
    returning *`.execute(db)
  const [after] = rows
  if (!after) return undefined
  const held = after.last_held
  const fromMonth = Math.min(held, Math.max(0, after.monthly - (after.held - held)))
  await statement`
    insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until)
    values (${wanted.id}, ${workspaceId}, ${held}, ${fromMonth}, ${wanted.sessionId},
      ${wanted.now}, ${wanted.leaseUntil})`.execute(db)
  await appendLedger(
    db,
    after,
    [
      { type: 'hold', amount: -fromMonth, source: 'monthly' },
      { type: 'hold', amount: fromMonth - held, source: 'addon' },
    ],
    { runId: wanted.id, sessionId: wanted.sessionId ?? undefined, at: wanted.now },
  )
  return after
}

/** What a hold left behind. */
export interface EndedHold {
  balance: BalanceRow
  cost: Milli
  /** False where the balance did not know which day it is. */
  isCounted: boolean
}

/**
 * Takes a hold away, whoever comes first: its run, or the sweeper; then what was used from the
 * balance, monthly credits first, with the rows of the ledger and the counters. Nothing where the
 * hold is gone, or the balance's month is over.
 */
export async function endHold(db: Db, end: HoldEnd): Promise<EndedHold | undefined> {
  if (dialectOf(db) === 'postgres') return endAtOnce(db, end)
  const hold = await deleteHold(db, end)
  if (!hold) return undefined
  const cost = Math.min(end.cost, hold.amount)
  const { rows } = await statement<BalanceRow>`
    update balances set
      held = held - ${hold.amount},
      entries = entries + 4,
      last_from_month = min(monthly, ${cost}),
      used = used + min(monthly, ${cost}),
      monthly = monthly - min(monthly, ${cost}),
      addons = addons - (${cost} - min(monthly, ${cost}))
    where workspace_id = ${end.workspaceId}
    returning *`.execute(db)
  const [balance] = rows
  if (!balance) throw new Error(`Workspace ${end.workspaceId} has no balance.`)
  await appendLedger(
    db,
    balance,
    [
      { type: 'release', amount: hold.from_month, source: 'monthly' },
      { type: 'release', amount: hold.amount - hold.from_month, source: 'addon' },
      { type: 'settle', amount: -balance.last_from_month, source: 'monthly' },
      { type: 'settle', amount: balance.last_from_month - cost, source: 'addon' },
    ],
    { runId: hold.id, sessionId: hold.session_id ?? undefined, at: end.now },
  )
  const isToday = balance.day_from <= end.now && end.now < balance.day_until
  if (end.usage && isToday) {
    await addUsage(db, { workspaceId: end.workspaceId, day: balance.day, cost, ...end.usage })
  }
  return { balance, cost, isCounted: isToday }
}

async function deleteHold(db: Db, end: HoldEnd): Promise<HoldRow | undefined> {
  const { rows } = await statement<HoldRow>`
    delete from holds where id = ${end.id} and workspace_id = ${end.workspaceId}
      and lease_until <= ${end.lapsedBy ?? Number.MAX_SAFE_INTEGER}
      and exists (select 1 from balances
        where balances.workspace_id = holds.workspace_id and month >= ${end.month})
    returning *`.execute(db)
  return rows[0]
}

/** Every workspace's holds whose run has not shown a sign of life since the lease ended. */
export async function listLapsedHolds(db: Db, now: number, limit: number): Promise<HoldRow[]> {
  return db
    .selectFrom('holds')
    .selectAll()
    .where('lease_until', '<=', now)
    .orderBy('lease_until')
    .limit(limit)
    .execute()
}

/** A sign of life of a run that takes long; false when the hold is gone. */
export async function extendHold(
  db: Db,
  hold: { workspaceId: string; id: string; leaseUntil: number },
): Promise<boolean> {
  const extended = await db
    .updateTable('holds')
    .set({ lease_until: hold.leaseUntil })
    .where('workspace_id', '=', hold.workspaceId)
    .where('id', '=', hold.id)
    .executeTakeFirst()
  return extended.numUpdatedRows > 0n
}

/** Every workspace's open holds. */
export async function listAllHolds(db: Db): Promise<HoldRow[]> {
  return db.selectFrom('holds').selectAll().execute()
}
