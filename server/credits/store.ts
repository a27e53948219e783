import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../storage/database.ts'
import { newId } from '../lib/ids.ts'
import type { Milli } from '../lib/money.ts'
import { insertMany } from '../storage/bulk.ts'
import { dialectOf } from '../storage/dialect.ts'
import { prepared } from '../storage/prepared.ts'
import { pipelined, serialized } from '../storage/query-hints.ts'
import type { LedgerSource, LedgerType } from './schema.ts'

export type BalanceRow = Selectable<Tables['balances']>
export type LedgerEntry = Selectable<Tables['ledger']>

export async function findBalance(db: Db, workspaceId: string): Promise<BalanceRow | undefined> {
  const { rows } = await prepared<BalanceRow>`
    select * from balances where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]
}

/** Returns the credits that a workspace gets each month; 0 for an unknown one. */
export async function findMonthlyLimit(db: Db, workspaceId: string): Promise<Milli> {
  return (await findBalance(db, workspaceId))?.monthly_limit ?? 0
}

export async function insertBalance(db: Db, row: BalanceRow): Promise<void> {
  await db.insertInto('balances').values(row).execute()
}

/** Locks and returns the balance. SQLite needs no row lock: its transactions have one writer. */
export async function lockBalance(db: Db, workspaceId: string): Promise<BalanceRow | undefined> {
  if (dialectOf(db) === 'sqlite') return findBalance(db, workspaceId)
  const { rows } = await serialized(
    workspaceId,
    prepared<BalanceRow>`
      select * from balances where workspace_id = ${workspaceId} for no key update`,
  ).execute(db)
  return rows[0]
}

export async function writeBalance(db: Db, row: BalanceRow): Promise<void> {
  const { workspace_id, ...values } = row
  await db.updateTable('balances').set(values).where('workspace_id', '=', workspace_id).execute()
}

/** Saves the columns that holds and settlements change. */
export async function writeAmounts(db: Db, row: BalanceRow): Promise<void> {
  const update = prepared`
    update balances set monthly = ${row.monthly}, addons = ${row.addons}, held = ${row.held},
      used = ${row.used}, entries = ${row.entries}
    where workspace_id = ${row.workspace_id}`
  await pipelined(update).execute(db)
}

/** Saves which threshold events were sent, so that each is sent once. */
export async function markNotified(
  db: Db,
  workspaceId: string,
  notified: { lowSince: number | null; quotaMonth: number | null; warnedAt: number | null },
): Promise<void> {
  await sql`
    update balances set low_since = ${notified.lowSince}, quota_month = ${notified.quotaMonth},
      warned_at = ${notified.warnedAt}
    where workspace_id = ${workspaceId}`.execute(db)
}

/** Saves the workspace's own low mark; a new mark may warn at once. */
export async function saveWarning(
  db: Db,
  workspaceId: string,
  warning: Milli | null,
): Promise<void> {
  await db
    .updateTable('balances')
    .set({ warning, warned_at: null })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Saves the end of a cancelled plan. */
export async function savePlanEnd(db: Db, workspaceId: string, endsAt: number): Promise<void> {
  await sql`
    update balances set ends_at = ${endsAt} where workspace_id = ${workspaceId}`.execute(db)
}

/** Returns a page of workspaces whose balance is in an ended month, by id. */
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

/** The tokens that a hold paid for. */
export interface BilledTokens {
  inputTokens: number
  outputTokens: number
}

/** A ledger row before it has an id and the balance after it. */
export interface LedgerChange {
  type: LedgerType
  amount: Milli
  source: LedgerSource
  runId?: string | undefined
  sessionId?: string | undefined
  reference?: string | undefined
  billed?: BilledTokens | undefined
  at: number
}

/**
 * Appends rows to the ledger, numbered up to the balance's `entries`. Each row has the balance after
 * it, so that the last row equals `balance`. Rows with amount 0 are left out.
 */
export async function appendLedger(
  db: Db,
  balance: BalanceRow,
  changes: readonly LedgerChange[],
): Promise<void> {
  let after: BalanceAmounts = balance
  let sequence = balance.entries
  const rows: (string | number | null)[][] = []
  for (const change of changes.toReversed()) {
    const { type, amount, source, runId, sessionId, reference, billed, at } = change
    if (amount === 0) continue
    const { monthly, addons, held } = after
    rows.push([
      newId('ldg'),
      balance.workspace_id,
      type,
      amount,
      source,
      monthly,
      addons,
      held,
      runId ?? null,
      sessionId ?? null,
      reference ?? null,
      billed?.inputTokens ?? null,
      billed?.outputTokens ?? null,
      at,
      sequence,
    ])
    after = balanceBefore(after, change)
    sequence -= 1
  }
  await insertMany(db, LEDGER, rows.toReversed())
}

const LEDGER = {
  table: 'ledger',
  columns: {
    id: 'text',
    workspace_id: 'text',
    type: 'text',
    amount: 'bigint',
    source: 'text',
    monthly_after: 'bigint',
    addons_after: 'bigint',
    held_after: 'bigint',
    run_id: 'text',
    session_id: 'text',
    reference: 'text',
    billed_input: 'bigint',
    billed_output: 'bigint',
    created_at: 'bigint',
    sequence: 'bigint',
  },
} as const

type BalanceAmounts = Pick<BalanceRow, 'monthly' | 'addons' | 'held'>

/**
 * Returns the amounts before a change: holds and releases change `held`, other types the credits.
 */
function balanceBefore(
  after: BalanceAmounts,
  { type, amount, source }: LedgerChange,
): BalanceAmounts {
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
