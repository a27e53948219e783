import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../../server/storage/migrate.ts'
import { migrations } from '../../server/storage/migration-list.ts'
import { openSqlite } from '../../server/storage/sqlite/sqlite.ts'
import { CommandError } from '../command-error.ts'
import type { Archive, Value } from './archive.ts'
import { type BackupSource, type Table, findMigrations } from './database.ts'

const FILE = 'sohbet.db'

/** Opens the embedded database of a folder as it is now, also while the product runs. */
export function openSqliteSource(folder: string): BackupSource {
  const file = join(folder, FILE)
  if (!existsSync(file)) throw new CommandError(`There is no database in ${folder}.`)
  const database = new Sqlite(file, { readonly: true })
  // All tables are read as of this moment.
  database.exec('begin')
  const names = database
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .pluck()
    .all()
  const tables: Table[] = names.map((name) => ({
    name,
    columns: database
      .prepare<[], string>(`select name from pragma_table_info('${name}') order by cid`)
      .pluck()
      .all(),
  }))
  return {
    tables: tables.filter(({ name }) => name !== 'migrations'),
    migrations: database.prepare<[], string>('select name from migrations').pluck().all(),
    async *rows({ name, columns }) {
      const list = columns.map((column) => `"${column}"`).join(', ')
      yield* database.prepare<[], Value[]>(`select ${list} from "${name}"`).raw().iterate()
    },
    async close() {
      database.close()
    },
  }
}

/**
 * Loads a backup into a folder without a database, which it locks. Throws `CommandError` for
 * a folder that is in use; a load that fails leaves no database.
 */
export async function loadIntoSqlite(folder: string, archive: Archive): Promise<void> {
  const file = join(folder, FILE)
  if (existsSync(file)) {
    throw new CommandError(`${folder} has a database already. Restore into an empty DATA_DIR.`)
  }
  const storage = openSqlite(folder)
  const database = new Sqlite(file)
  try {
    await migrate(storage.db, 'sqlite', findMigrations(archive, migrations), Date.now())
    database.pragma('foreign_keys = off')
    database.exec('begin immediate')
    const inserts = archive.header.tables.map(({ name, columns }) => {
      database.exec(`delete from "${name}"`)
      const list = columns.map((column) => `"${column}"`).join(', ')
      const places = columns.map(() => '?').join(', ')
      return database.prepare(`insert into "${name}" (${list}) values (${places})`)
    })
    for await (const { table, values } of archive.rows()) inserts[table]?.run(...values)
    const broken = database.prepare('select * from pragma_foreign_key_check').all()
    if (broken.length > 0)
      throw new CommandError('The backup is inconsistent: rows have no parent.')
    database.exec('commit')
  } finally {
    database.close()
    await storage.close()
  }
}
