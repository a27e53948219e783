import type { Context } from '../context.ts'
import { csvLine } from '../lib/csv.ts'
import { LedgerRow } from './schema.ts'
import { serializeLedgerRow } from './serialize.ts'
import { findBalance } from './store.ts'
import { type LedgerFilter, type LedgerPosition, listLedger } from './store.ledger.ts'

const BATCH_SIZE = 1_000
const LATER_COLUMNS = ['billed_input_tokens', 'billed_output_tokens'] as const
/** New columns come last: spreadsheets and imports name columns by their place. */
const COLUMNS = [...LedgerRow.keyof().exclude([...LATER_COLUMNS]).options, ...LATER_COLUMNS]

export type ExportForm = 'csv' | 'jsonl'

/**
 * Yields the ledger as a file in batches, oldest row first. The export ends with the row that was the
 * last at its start, so that concurrent runs add neither a gap nor a duplicate.
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
    const page = { order: 'old', limit: BATCH_SIZE, after, last } as const
    const entries = await listLedger(ctx.db, workspaceId, filter, page)
    const rows = entries.map(serializeLedgerRow)
    if (rows.length > 0) yield rows.map(form === 'csv' ? asCsv : asJson).join('')
    const end = entries.at(-1)
    if (!end || entries.length < BATCH_SIZE) return
    after = { at: end.created_at, sequence: end.sequence }
  }
}

function asCsv(row: LedgerRow): string {
  return csvLine(COLUMNS.map((column) => row[column]))
}

function asJson(row: LedgerRow): string {
  return `${JSON.stringify(row)}\n`
}
