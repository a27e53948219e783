import pg from 'pg'
import { migrate } from '../../server/storage/migrate.ts'
import { migrations } from '../../server/storage/migration-list.ts'
import { openPostgres } from '../../server/storage/postgres/postgres.ts'
import { CommandError } from '../command-error.ts'
import type { Archive, ArchiveRow, Value } from './archive.ts'
import { type BackupSource, type Table, findMigrations } from './database.ts'

const PAGE_SIZE = 1_000
/** Of a statement: the protocol counts parameters in 16 bits. */
const MAX_PARAMETERS = 30_000
const INT8 = 20

async function connect(url: string): Promise<pg.Client> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, Number)
  const client = new pg.Client({ connectionString: url, types })
  await client.connect()
  return client
}

/** Opens a database as it is now, also while the product runs: everything is read in one snapshot. */
export async function openPostgresSource(url: string): Promise<BackupSource> {
  const client = await connect(url)
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<Table>(`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = current_schema() group by 1 order by 1`)
  if (!rows.some(({ name }) => name === 'migrations')) {
    await client.end()
    throw new CommandError('There is no installation in the database at DATABASE_URL.')
  }
  const applied = await client.query<{ name: string }>('select name from migrations')
  return {
    tables: rows.filter(({ name }) => name !== 'migrations'),
    migrations: applied.rows.map(({ name }) => name),
    async *rows({ name, columns }) {
      const list = columns.map((column) => `"${column}"`).join(', ')
      await client.query(`declare page no scroll cursor for select ${list} from "${name}"`)
      for (;;) {
        const text = `fetch ${PAGE_SIZE} from page`
        const page = await client.query<Value[]>({ text, rowMode: 'array' })
        yield* page.rows
        if (page.rows.length < PAGE_SIZE) break
      }
      await client.query('close page')
    },
    async close() {
      await client.end()
    },
  }
}

/**
 * Loads a backup into a database without tables, in one transaction. Throws `CommandError` for a
 * database that has some.
 */
export async function loadIntoPostgres(url: string, archive: Archive): Promise<void> {
  const client = await connect(url)
  try {
    const { rows: tables } = await client.query(
      'select 1 from information_schema.tables where table_schema = current_schema() limit 1',
    )
    if (tables.length > 0) {
      throw new CommandError('The database at DATABASE_URL has tables already. Use an empty one.')
    }
    const storage = openPostgres(url, { poolMax: 2 })
    try {
      await migrate(storage.db, 'postgres', findMigrations(archive, migrations), Date.now())
    } finally {
      await storage.close()
    }
    await client.query('begin')
    const restoreKeys = await dropForeignKeys(client)
    for (const { name } of archive.header.tables) await client.query(`delete from "${name}"`)
    await insertAll(client, archive)
    // Each key is checked as it is added.
    for (const statement of restoreKeys) await client.query(statement)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Drops the foreign keys, so that tables load in any order; returns what adds them again. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ place: string; name: string; definition: string }>(`
    select conrelid::regclass::text as place, quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`)
  for (const { place, name } of rows) {
    await client.query(`alter table ${place} drop constraint ${name}`)
  }
  return rows.map(
    ({ place, name, definition }) => `alter table ${place} add constraint ${name} ${definition}`,
  )
}

async function insertAll(client: pg.Client, archive: Archive): Promise<void> {
  let batch: ArchiveRow[] = []
  const flush = async () => {
    const [first] = batch
    const table = first && archive.header.tables[first.table]
    if (!table) return
    const list = table.columns.map((column) => `"${column}"`).join(', ')
    const width = table.columns.length
    const places = batch.map(
      (_, row) => `(${table.columns.map((__, at) => `$${row * width + at + 1}`).join(', ')})`,
    )
    await client.query(
      `insert into "${table.name}" (${list}) values ${places.join(', ')}`,
      batch.flatMap(({ values }) => [...values]),
    )
    batch = []
  }
  for await (const row of archive.rows()) {
    const [first] = batch
    const isFull = batch.length * row.values.length > MAX_PARAMETERS
    if (first && (first.table !== row.table || isFull)) await flush()
    batch.push(row)
  }
  await flush()
}
