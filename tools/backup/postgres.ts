import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import type { Db, Tables } from '../../server/storage/database.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { migrations } from '../../server/storage/migration-list.ts'
import { CommandError } from '../command-error.ts'
import type { Archive, ArchiveRow, Value } from './archive.ts'
import {
  type BackupSource,
  type Proof,
  type Table,
  findMigrations,
  isBackedUp,
} from './database.ts'

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
  try {
    await client.query('begin isolation level repeatable read read only')
    return await sourceOf(client)
  } catch (error) {
    await client.end()
    throw error
  }
}

/** Reads in the transaction that is open. */
async function sourceOf(client: pg.Client): Promise<BackupSource> {
  const { rows } = await client.query<Table>(`
    select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = current_schema() group by 1 order by 1`)
  if (!rows.some(({ name }) => name === 'migrations')) {
    throw new CommandError('There is no installation in the database at DATABASE_URL.')
  }
  const applied = await client.query<{ name: string }>('select name from migrations')
  return {
    tables: rows.filter(isBackedUp),
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
 * Loads a backup into a database without tables, in one transaction with the tables themselves: a load
 * that fails leaves nothing. `prove` looks at what was loaded before it is committed. Throws
 * `CommandError` for a database that has tables.
 */
export async function loadIntoPostgres(
  url: string,
  archive: Archive,
  { prove }: Proof,
): Promise<void> {
  const applied = findMigrations(archive, migrations)
  const client = await connect(url)
  try {
    const { rows: tables } = await client.query(
      'select 1 from information_schema.tables where table_schema = current_schema() limit 1',
    )
    if (tables.length > 0) {
      throw new CommandError('The database at DATABASE_URL has tables already. Use an empty one.')
    }
    await client.query('begin')
    await migrate(inTransaction(client), 'postgres', applied, Date.now())
    const restoreKeys = await dropForeignKeys(client)
    for (const { name } of archive.header.tables) await client.query(`delete from "${name}"`)
    await insertAll(client, archive)
    // Each key is checked as it is added.
    for (const statement of restoreKeys) await client.query(statement)
    await prove(await sourceOf(client))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Returns a database whose transactions are parts of the one that the client has open. */
function inTransaction(client: pg.Client): Db {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows } = await client.query<Row & pg.QueryResultRow>(sql, [...parameters])
      return { rows }
    },
    streamQuery() {
      throw new Error('Rows are read in pages.')
    },
  }
  const nothing = async () => undefined
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => connection,
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
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
