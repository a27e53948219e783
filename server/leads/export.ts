import type { Context } from '../context.ts'
import { csvLine } from '../lib/csv.ts'
import type { Cursor } from '../lib/cursor.ts'
import { serializeManagedLead } from './serialize.ts'
import { type LeadListFilter, type OwnedLeadRow, listLeads } from './store.ts'

const ROWS_AT_ONCE = 1_000
const COLUMNS = [
  'lead_id',
  'tenant_id',
  'session_id',
  'name',
  'phone',
  'email',
  'interest',
  'sector',
  'source',
  'confidence',
  'captured_at',
] as const
const OTHER_COLUMNS = [
  'consent_text',
  'consent_version',
  'consent_at',
  'status',
  'owner',
  'notes',
] as const

/** Streams leads as CSV, newest first, in batches; spreadsheets read no cell as a formula. */
export async function* exportLeads(
  ctx: Context,
  workspaceId: string,
  filter: LeadListFilter,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, ...OTHER_COLUMNS])
  let after: Cursor | undefined
  for (;;) {
    const page = { ...filter, limit: ROWS_AT_ONCE, after }
    const rows = (await listLeads(ctx.db, workspaceId, page)).slice(0, ROWS_AT_ONCE)
    if (rows.length > 0) yield rows.map(csvRow).join('')
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = { at: last.captured_at, id: last.id }
  }
}

function csvRow(row: OwnedLeadRow): string {
  const { consent, status, owner, notes, ...lead } = serializeManagedLead(row)
  const agreed = [consent?.text, consent?.version, consent?.given_at]
  return csvLine([...COLUMNS.map((column) => lead[column]), ...agreed, status, owner?.name, notes])
}
