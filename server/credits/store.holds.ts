import type { Selectable } from 'kysely'
import { newId } from '../lib/ids.ts'
import type { Milli } from '../lib/money.ts'
import type { Db, Tables } from '../storage/database.ts'
import { insertMany } from '../storage/bulk.ts'
import { serialized } from '../storage/query-hints.ts'
import { dialectOf } from '../storage/dialect.ts'
import { prepared } from '../storage/prepared.ts'
import { type BalanceRow, findBalance } from './store.ts'

export type HoldRow = Selectable<Tables['holds']>

const T = 'text'
const N = 'bigint'

export async function insertHolds(db: Db, holds: readonly HoldRow[]): Promise<void> {
  const plain = holds.filter(({ tenant_id }) => tenant_id === null)
  await insertMany(db, HOLDS, plain.map(valuesOf))
  const ofTenants = holds.filter(({ tenant_id }) => tenant_id !== null)
  await insertMany(
    db,
    TENANT_HOLDS,
    ofTenants.map((hold) => [...valuesOf(hold), hold.tenant_id, hold.day]),
  )
}

function valuesOf(hold: HoldRow) {
  return [
    hold.id,
    hold.workspace_id,
    hold.amount,
    hold.from_month,
    hold.session_id,
    hold.created_at,
    hold.lease_until,
  ]
}

/** Holds of prompt runs belong to no site, so that their statement omits its columns. */
const HOLDS = {
  table: 'holds',
  columns: {
    id: T,
    workspace_id: T,
    amount: N,
    from_month: N,
    session_id: T,
    created_at: N,
    lease_until: N,
  },
} as const
const TENANT_HOLDS = {
  table: 'holds',
  columns: { ...HOLDS.columns, tenant_id: T, day: T },
} as const

/** Returns the sum of the open holds that count towards a site's daily cap. */
export async function sumTenantHolds(
  db: Db,
  { workspaceId, tenantId, day }: { workspaceId: string; tenantId: string; day: string },
): Promise<Milli> {
  const { rows } = await prepared<{ held: number | string }>`
    select coalesce(sum(amount), 0) as held from holds
    where workspace_id = ${workspaceId} and tenant_id = ${tenantId} and day = ${day}`.execute(db)
  return Number(rows[0]?.held ?? 0)
}

/** The columns of a removed hold that its settlement needs. */
export type RemovedHold = Pick<HoldRow, 'id' | 'amount' | 'from_month' | 'session_id'>

/** Holds of a workspace to remove; with `lapsedBy`, only those whose lease has expired by then. */
export interface HoldSelection {
  workspaceId: string
  ids: readonly string[]
  lapsedBy?: number | undefined
}

/**
 * Locks the balance and deletes holds, so that either the run or the sweeper closes each one. Returns
 * the deleted holds; `undefined` for a workspace without a balance.
 */
export async function removeHolds(
  db: Db,
  selection: HoldSelection,
): Promise<{ balance: BalanceRow; holds: RemovedHold[] } | undefined> {
  if (dialectOf(db) === 'postgres') return removeHoldsInOneStatement(db, selection)
  const { workspaceId, ids, lapsedBy = Number.MAX_SAFE_INTEGER } = selection
  const balance = await findBalance(db, workspaceId)
  if (!balance) return undefined
  const { rows: holds } = await prepared<RemovedHold>`
    delete from holds where id in (${ids}) and workspace_id = ${workspaceId}
      and lease_until <= ${lapsedBy}
    returning id, amount, from_month, session_id`.execute(db)
  return { balance, holds }
}

/** A row per removed hold, or a single row without one. */
type LockedRow = BalanceRow & {
  hold_id: string | null
  amount: number
  from_month: number
  session_id: string | null
}

/** Removes holds in one statement, which locks the balance for one round trip less. */
async function removeHoldsInOneStatement(
  db: Db,
  { workspaceId, ids, lapsedBy = Number.MAX_SAFE_INTEGER }: HoldSelection,
): Promise<{ balance: BalanceRow; holds: RemovedHold[] } | undefined> {
  const { rows } = await serialized(
    workspaceId,
    prepared<LockedRow>`
      with whose as (
        select cast(${workspaceId} as text) as id
      ), locked as (
        select balances.* from balances join whose on balances.workspace_id = whose.id
        for no key update of balances
      ), taken as (
        delete from holds using locked
        where holds.id = any(string_to_array(${ids.join(' ')}, ' ')) and holds.workspace_id = locked.workspace_id
          and holds.lease_until <= ${lapsedBy}
        returning holds.id as hold_id, amount, from_month, session_id
      )
      select * from locked left join taken on true`,
  ).execute(db)
  const [first] = rows
  if (!first) return undefined
  const {
    hold_id: _id,
    amount: _amount,
    from_month: _from,
    session_id: _session,
    ...balance
  } = first
  const holds = rows.flatMap(({ hold_id: id, amount, from_month, session_id }) =>
    id === null ? [] : [{ id, amount, from_month, session_id }],
  )
  return { balance, holds }
}

/** Returns holds of all workspaces whose lease has expired, oldest lease first. */
export async function listLapsedHolds(db: Db, now: number, limit: number): Promise<HoldRow[]> {
  return db
    .selectFrom('holds')
    .selectAll()
    .where('lease_until', '<=', now)
    .orderBy('lease_until')
    .limit(limit)
    .execute()
}

/** Renews the lease of a hold; returns false for a closed hold. */
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

/** Returns the open holds of all workspaces. */
export async function listAllHolds(db: Db): Promise<HoldRow[]> {
  return db.selectFrom('holds').selectAll().execute()
}

/** A hold of a prompt run that is placed in one statement. */
export interface InstantHold {
  id: string
  workspaceId: string
  amount: Milli
}

/** The types of what `instantHoldValues` returns: the first columns of the table `asked`. */
export const INSTANT_HOLD_COLUMNS = [T, T, N, N, N, N, N, T, T, N] as const

/** Returns the values of holds of one workspace, in the order of their columns. */
export function instantHoldValues(
  holds: readonly InstantHold[],
  { now, leaseUntil, month }: { now: number; leaseUntil: number; month: number },
): (string | number)[][] {
  let before = 0
  return holds.map(({ id, workspaceId, amount }, position) => {
    const heldBefore = before
    before += amount
    const ledger = [newId('ldg'), newId('ldg')]
    return [workspaceId, id, amount, heldBefore, now, leaseUntil, month, ...ledger, position]
  })
}

/**
 * Returns the parts of a Postgres statement that place the holds of the table `asked` and append them to the
 * ledger. All are placed, or none: where the balance does not cover the sum, belongs to an ended month, or
 * `condition` is false. `granted` then has no rows. The balance is locked for this statement alone.
 */
export function instantHolds(condition: string): string {
  return `
    total as (
      select min(c0) as id, cast(sum(c2) as bigint) as amount, max(c6) as month, count(*) as runs
      from asked
    ), moved as (
      update balances
      set held = held + (select amount from total), entries = entries + 2 * (select runs from total)
      where workspace_id = (select id from total) and month >= (select month from total)
        and monthly + addons - held >= (select amount from total) and ${condition}
      returning monthly, addons, held - (select amount from total) as held,
        entries - 2 * (select runs from total) as entries
    ), granted as (
      select asked.*, monthly, addons, held + c3 as held, entries + 2 * c9 as entries,
        least(c2, greatest(0, monthly - held - c3)) as from_month
      from asked cross join moved
    ), held as (
      insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until)
      select c1, c0, c2, from_month, null, c4, c5 from granted
    ), entered as (
      insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
        held_after, run_id, created_at, sequence)
      select entry.id, c0, 'hold', entry.amount, entry.source, monthly, addons, entry.held, c1, c4,
        entry.sequence
      from granted cross join lateral (values
        (c7, -from_month, 'monthly', held + from_month,
          entries + case when from_month < c2 then 1 else 2 end),
        (c8, from_month - c2, 'addon', held + c2, entries + 2)
      ) as entry (id, amount, source, held, sequence)
      where entry.amount <> 0
    )`
}
