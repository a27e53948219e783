import type { Selectable } from 'kysely'
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
