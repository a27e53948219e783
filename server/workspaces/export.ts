import { setImmediate } from 'node:timers/promises'
import { Zip, ZipDeflate } from 'fflate'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { isoTime } from '../http/pagination.ts'
import { csvLine } from '../lib/csv.ts'
import type { Db } from '../storage/database.ts'
import { EXPORTED_TABLES, type ExportedTable } from './exported-tables.ts'

const ROWS_AT_ONCE = 500
/** The text that is compressed before other requests get a turn. */
const BYTES_AT_ONCE = 256 * 1_024
const SESSIONS_AT_ONCE = 100
/** The names of columns with a time. */
const TIME = /(_at|_since|_until)$/

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

/**
 * Streams everything of a workspace as a ZIP file: a JSON file for each table, and a CSV file beside
 * those that people open in a spreadsheet. Reads in batches, so that memory stays flat; what
 * changes during the export is in it or not.
 */
export async function* exportWorkspace(
  ctx: Context,
  workspaceId: string,
): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const taken = (): Uint8Array[] => {
    const before = chunks
    chunks = []
    return before
  }
  for (const table of EXPORTED_TABLES) {
    for (const format of table.hasCsv ? (['json', 'csv'] as const) : (['json'] as const)) {
      const file = new ZipDeflate(`${table.name}.${format}`, { level: 6 })
      file.mtime = ctx.now()
      zip.add(file)
      for await (const text of linesOf(ctx.db, { workspaceId, table, format })) {
        const bytes = Buffer.from(text)
        for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
          file.push(bytes.subarray(from, from + BYTES_AT_ONCE))
          yield* taken()
          await setImmediate()
        }
      }
      file.push(new Uint8Array(), true)
      yield* taken()
    }
  }
  zip.end()
  yield* taken()
}

async function* linesOf(
  db: Db,
  of: { workspaceId: string; table: ExportedTable; format: 'json' | 'csv' },
): AsyncGenerator<string> {
  const { table, format } = of
  let isFirst = true
  yield format === 'json' ? '[' : csvLine(table.columns)
  for await (const rows of rowsOf(db, of)) {
    if (format === 'csv') {
      const lines = rows.map(readable).map((row) => table.columns.map((name) => row[name]))
      yield lines.map((cells) => csvLine(cells)).join('')
      continue
    }
    const text = rows.map((row) => JSON.stringify(readable(row))).join(',\n')
    yield `${isFirst ? '\n' : ',\n'}${text}`
    isFirst = false
  }
  if (format === 'json') yield '\n]\n'
}

/** Returns the rows of a table in pages; those of conversations by conversation. */
async function* rowsOf(
  db: Db,
  { workspaceId, table }: { workspaceId: string; table: ExportedTable },
): AsyncGenerator<Row[]> {
  if (!table.isOfSession) {
    yield* pagesOf(db, table, sql`${sql.ref(table.owner ?? 'workspace_id')} = ${workspaceId}`)
    return
  }
  const sessions: ExportedTable = { name: 'sessions', columns: ['id'], key: ['id'] }
  const ofWorkspace = sql`workspace_id = ${workspaceId}`
  for await (const page of pagesOf(db, sessions, ofWorkspace, SESSIONS_AT_ONCE)) {
    const ids = sql.join(page.map(({ id }) => id))
    yield* pagesOf(db, table, sql`${ofWorkspace} and session_id in (${ids})`)
  }
}

async function* pagesOf(
  db: Db,
  { name, columns, key, rowsAtOnce = ROWS_AT_ONCE }: ExportedTable,
  where: ReturnType<typeof sql>,
  most = ROWS_AT_ONCE,
): AsyncGenerator<Row[]> {
  const limit = Math.min(rowsAtOnce, most)
  const listOf = (names: readonly string[]) => sql.join(names.map((column) => sql.ref(column)))
  let after: Value[] | undefined
  for (;;) {
    const { rows } = await sql<Row>`
      select ${listOf([...new Set([...columns, ...key])])} from ${sql.table(name)} where ${where}
        and ${after ? sql`(${listOf(key)}) > (${sql.join(after)})` : sql`1 = 1`}
      order by ${listOf(key)} limit ${limit}`.execute(db)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    after = key.map((column) => last[column] ?? null)
  }
}

/** Returns a row with its times as ISO 8601. */
function readable(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && TIME.test(name) ? isoTime(value) : value,
    ]),
  )
}
