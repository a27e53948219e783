import type { Context } from '../context.ts'
import { csvLine } from '../lib/csv.ts'
import { LedgerRow } from './schema.ts'
import { serializeLedgerRow } from './serialize.ts'
import { findBalance } from './store.ts'
import { type LedgerFilter, type LedgerPosition, listLedger } from './store.ledger.ts'

const ROWS_AT_ONCE = 1_000
const COLUMNS = LedgerRow.keyof().options

export type ExportForm = 'csv' | 'jsonl'

/**
 * The ledger as a file, oldest row first, some rows at a time. It ends with the row that was the
 * last when it began: whatever runs meanwhile, no row is missing and none is there twice.
 */
export async function* exportLedger(
  ctx: Context,
  workspaceId: string,
  filter: LedgerFilter,
  form: ExportForm,
): AsyncGenerator<string> {
  if (form === 'csv') yield csvLine(COLUMNS)
  const balance = await findBalance(ctx.db, workspaceId)
  const last = balance?.entries ?? 0
  let after: LedgerPosition | undefined
  for (;;) {
    const page = { order: 'old', limit: ROWS_AT_ONCE, after, last } as const
    const entries = await listLedger(ctx.db, workspaceId, filter, page)
    const rows = entries.map(serializeLedgerRow)
    if (rows.length > 0) yield rows.map(form === 'csv' ? asCsv : asJson).join('')
    const end = entries.at(-1)
    if (!end || entries.length < ROWS_AT_ONCE) return
    after = { at: end.created_at, sequence: end.sequence }
  }
}

function asCsv(row: LedgerRow): string {
  return csvLine(COLUMNS.map((column) => row[column]))
}

function asJson(row: LedgerRow): string {
  return `${JSON.stringify(row)}\n`
}
