import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../../server/storage/migrate.ts'
import { migrations } from '../../server/storage/migration-list.ts'
import { DataDirectoryLockedError, type Storage } from '../../server/storage/database.ts'
import { openSqlite } from '../../server/storage/sqlite/sqlite.ts'
import { CommandError } from '../command-error.ts'
import type { Archive, Value } from './archive.ts'
import {
  type BackupSource,
  type Proof,
  type Table,
  findMigrations,
  isBackedUp,
} from './database.ts'

const FILE = 'sohbet.db'
export const KEY_FILE = 'secret.key'
const OWNER_ONLY = 0o600

/** Opens the embedded database of a folder as it is now, also while the product runs. */
export function openSqliteSource(folder: string): BackupSource {
  const file = join(folder, FILE)
  if (!existsSync(file)) throw new CommandError(`There is no database in ${folder}.`)
  const database = new Sqlite(file, { readonly: true })
  try {
    // All tables are read as of this moment.
    database.exec('begin')
    return sourceOf(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function sourceOf(database: Sqlite.Database): BackupSource {
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
    tables: tables.filter(isBackedUp),
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
 * Loads a backup, and the secret key if one is given, into a folder without a database, which it
 * locks. `prove` looks at what was loaded before it is committed. Throws `CommandError` for a folder
 * that has a database. A load that fails removes what it has made, but for the file of the lock:
 * another process may hold the same one at that moment.
 */
export async function loadIntoSqlite(
  folder: string,
  archive: Archive,
  { prove, secretKey }: Proof & { secretKey: string | undefined },
): Promise<void> {
  const file = join(folder, FILE)
  if (existsSync(file)) {
    throw new CommandError(`${folder} has a database already. Restore into an empty DATA_DIR.`)
  }
  const applied = findMigrations(archive, migrations)
  const made = [file, `${file}-wal`, `${file}-shm`]
  let storage: Storage | undefined
  let database: Sqlite.Database | undefined
  try {
    storage = openSqlite(folder)
    await migrate(storage.db, 'sqlite', applied, Date.now())
    database = new Sqlite(file)
    database.pragma('foreign_keys = off')
    database.exec('begin immediate')
    await insertAll(database, archive)
    await prove(sourceOf(database))
    if (secretKey !== undefined) {
      const keyFile = join(folder, KEY_FILE)
      const opened = openSync(keyFile, 'wx', OWNER_ONLY)
      made.push(keyFile)
      writeFileSync(opened, secretKey)
      closeSync(opened)
    }
    database.exec('commit')
  } catch (error) {
    // Removed while the folder is locked: no process has started on it.
    const isOurs = !(error instanceof DataDirectoryLockedError)
    for (const one of isOurs ? made : []) rmSync(one, { force: true })
    throw error
  } finally {
    database?.close()
    await storage?.close()
  }
}

async function insertAll(database: Sqlite.Database, archive: Archive): Promise<void> {
  const inserts = archive.header.tables.map(({ name, columns }) => {
    database.exec(`delete from "${name}"`)
    const list = columns.map((column) => `"${column}"`).join(', ')
    const places = columns.map(() => '?').join(', ')
    return database.prepare(`insert into "${name}" (${list}) values (${places})`)
  })
  for await (const { table, values } of archive.rows()) inserts[table]?.run(...values)
  const broken = database.prepare('select * from pragma_foreign_key_check').all()
  if (broken.length > 0) throw new CommandError('The backup is inconsistent: rows have no parent.')
}
