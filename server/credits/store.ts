import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'
import { newId } from '../lib/ids.ts'
import type { Milli } from '../lib/money.ts'
import type { LedgerSource, LedgerType } from './schema.ts'

export type BalanceRow = Selectable<Tables['balances']>
export type HoldRow = Selectable<Tables['holds']>
export type LedgerEntry = Selectable<Tables['ledger']>

export async function findBalance(db: Db, workspaceId: string): Promise<BalanceRow | undefined> {
  const { rows } = await sql<BalanceRow>`
    select * from balances where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]
}

export async function insertBalance(db: Db, row: BalanceRow): Promise<void> {
  await db.insertInto('balances').values(row).execute()
}

/**
 * Takes the balance's lock and keeps its row as it is; the transaction may then write what it
 * worked out from it. On SQLite the writer is alone anyway.
 */
export async function lockBalance(db: Db, workspaceId: string): Promise<BalanceRow | undefined> {
  const { rows } = await sql<BalanceRow>`
    update balances set entries = entries where workspace_id = ${workspaceId} returning *`.execute(
    db,
  )
  return rows[0]
}

export async function writeBalance(db: Db, row: BalanceRow): Promise<void> {
  const { workspace_id, ...values } = row
  await db.updateTable('balances').set(values).where('workspace_id', '=', workspace_id).execute()
}

/** Keeps what the workspace has been told, so that it is told once. */
export async function noteTold(
  db: Db,
  workspaceId: string,
  told: { lowSince: number | null; quotaMonth: number | null },
): Promise<void> {
  await sql`
    update balances set low_since = ${told.lowSince}, quota_month = ${told.quotaMonth}
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Keeps when a cancelled plan ends. */
export async function writeEnd(db: Db, workspaceId: string, endsAt: number): Promise<void> {
  await sql`
    update balances set ends_at = ${endsAt} where workspace_id = ${workspaceId}`.execute(db)
}

/** Every workspace whose month has ended and not been rolled, from after a place in their order. */
export async function listEndedMonths(
  db: Db,
  month: number,
  page: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from balances where month < ${month} and workspace_id > ${page.after}
    order by workspace_id limit ${page.limit}`.execute(db)
  return rows.map(({ workspace_id }) => workspace_id)
}

/**
 * Holds an amount, or what the balance has where that is less and still the least, in one
 * statement. How much it was is `last_held` of the answer.
 */
export async function takeHold(
  db: Db,
  hold: { workspaceId: string; month: number; amount: Milli; least: Milli },
): Promise<BalanceRow | undefined> {
  const taken = sql`case when monthly + addons - held >= ${hold.amount} then ${hold.amount}
    else monthly + addons - held end`
  const { rows } = await sql<BalanceRow>`
    update balances set held = held + ${taken}, last_held = ${taken}, entries = entries + 2
    where workspace_id = ${hold.workspaceId} and month >= ${hold.month}
      and monthly + addons - held >= ${hold.least}
    returning *`.execute(db)
  return rows[0]
}

/** Ends a hold and takes what was used, monthly credits first, in one statement. */
export async function takeSettlement(
  db: Db,
  settlement: { workspaceId: string; month: number; held: Milli; used: Milli },
): Promise<BalanceRow | undefined> {
  const { workspaceId, month, held, used } = settlement
  const { rows } = await sql<BalanceRow>`
    update balances set
      held = held - ${held},
      entries = entries + 4,
      last_from_month = case when monthly >= ${used} then ${used} else monthly end,
      used = used + case when monthly >= ${used} then ${used} else monthly end,
      monthly = case when monthly >= ${used} then monthly - ${used} else 0 end,
      addons = case when monthly >= ${used} then addons else addons - (${used} - monthly) end
    where workspace_id = ${workspaceId} and month >= ${month}
    returning *`.execute(db)
  return rows[0]
}

export async function insertHold(db: Db, hold: HoldRow): Promise<void> {
  await sql`
    insert into holds (id, workspace_id, amount, from_month, session_id, created_at, lease_until)
    values (${hold.id}, ${hold.workspace_id}, ${hold.amount}, ${hold.from_month},
      ${hold.session_id}, ${hold.created_at}, ${hold.lease_until})`.execute(db)
}

/** Takes a hold away, whoever comes first: its run, or the sweeper. */
export async function deleteHold(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    delete from holds where id = ${id} and workspace_id = ${workspaceId} returning *`.execute(db)
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

/** One change, before it has an id and the state after it. */
export interface Change {
  type: LedgerType
  amount: Milli
  source: LedgerSource
}

export interface About {
  runId?: string | undefined
  sessionId?: string | undefined
  reference?: string | undefined
  at: number
}

/**
 * Appends rows to the ledger, numbered up to the balance's `entries`, each with the state after it;
 * the last one leaves the balance as it is. Rows of nothing are left out.
 */
export async function appendLedger(
  db: Db,
  balance: BalanceRow,
  changes: readonly Change[],
  about: About,
): Promise<void> {
  const real = changes.filter(({ amount }) => amount !== 0)
  if (real.length === 0) return
  let after: Amounts = balance
  const rows: RawBuilder<unknown>[] = []
  for (const [index, change] of [...real.entries()].toReversed()) {
    rows.unshift(sql`(${newId('ldg')}, ${balance.workspace_id}, ${change.type}, ${change.amount},
      ${change.source}, ${after.monthly}, ${after.addons}, ${after.held}, ${about.runId ?? null},
      ${about.sessionId ?? null}, ${about.reference ?? null}, ${about.at},
      ${balance.entries - real.length + 1 + index})`)
    after = before(after, change)
  }
  await sql`
    insert into ledger (id, workspace_id, type, amount, source, monthly_after, addons_after,
      held_after, run_id, session_id, reference, created_at, sequence)
    values ${sql.join(rows)}`.execute(db)
}

type Amounts = Pick<BalanceRow, 'monthly' | 'addons' | 'held'>

/** What the balance was before a change: holds and releases move what is held, others what is there. */
function before(after: Amounts, { type, amount, source }: Change): Amounts {
  const { monthly, addons, held } = after
  if (type === 'hold' || type === 'release') return { monthly, addons, held: held + amount }
  return source === 'monthly'
    ? { monthly: monthly - amount, addons, held }
    : { monthly, addons: addons - amount, held }
}

export async function hasAddon(db: Db, workspaceId: string, reference: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('type', '=', 'addon')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row !== undefined
}
