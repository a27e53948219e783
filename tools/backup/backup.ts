import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../server/config.ts'
import { DataDirectoryLockedError } from '../../server/storage/database.ts'
import { readLostFrames } from '../../server/storage/sqlite/lost-frames.ts'
import { openSqlite } from '../../server/storage/sqlite/sqlite.ts'
import { CommandError } from '../command-error.ts'
import { type ArchiveRow, nameTaken, openArchive, writeArchive } from './archive.ts'
import type { BackupSource } from './database.ts'
import { loadIntoPostgres, openPostgresSource } from './postgres.ts'
import { findSecretKey } from './secret-key.ts'
import { KEY_FILE, loadIntoSqlite, openSqliteSource } from './sqlite.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'secretKeyPrevious'>

/** Writes everything the installation stores into one file; the product may keep running. */
export async function backUp(place: Place, file: string): Promise<string> {
  if (existsSync(file)) throw nameTaken(file)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}. Make it first.`)
  const counts = await writeBackup(place, file)
  return `${file}: ${summary(counts)}. It holds personal data and secrets: keep it like the database.`
}

/**
 * Loads a backup into an empty place, and compares what arrived with what was written. A restore that
 * fails leaves the place empty.
 */
export async function restore(place: Place, file: string): Promise<string> {
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`)
  const archive = await openArchive(file)
  const { key_id: keyId, secret_key: secretKey } = archive.header
  const keyFile = join(place.dataDir, KEY_FILE)
  const given = place.secretKey ?? (place.databaseUrl ? undefined : secretKey)
  const known = [given, place.secretKeyPrevious].filter((key) => key !== undefined)
  if (!known.some((key) => idOf(key) === keyId)) {
    throw new CommandError(
      'SECRET_KEY is not the key of the backup, whose secrets could not be read with it. Set the key that was in force.',
    )
  }
  if (!place.databaseUrl && existsSync(keyFile)) {
    throw new CommandError(`${place.dataDir} has a secret key already. Use an empty DATA_DIR.`)
  }
  const ledgerSum = await ledgerSumOf(archive.rows(), archive.header.tables)
  const prove = (loaded: BackupSource) => assertSame(loaded, archive.counts, ledgerSum)
  if (place.databaseUrl) await loadIntoPostgres(place.databaseUrl, archive, { prove })
  else {
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
    const generated = place.secretKey === undefined ? secretKey : undefined
    const load = () => loadIntoSqlite(place.dataDir, archive, { prove, secretKey: generated })
    await unlessLocked(place.dataDir, load)
  }
  return `Restored ${summary(archive.counts)} of ${archive.header.created_at}; row counts and ledger sums agree.`
}

/** Loads the embedded database of a folder that no process uses into the empty Postgres. */
export async function importSqlite(place: Place, folder: string): Promise<string> {
  if (!place.databaseUrl) throw new CommandError('Set DATABASE_URL to the empty database first.')
  if (!existsSync(join(folder, 'sohbet.db'))) {
    throw new CommandError(`There is no database in ${folder}.`)
  }
  const temporary = mkdtempSync(join(tmpdir(), 'sohbet-import-'))
  try {
    return await unlessLocked(folder, async () => {
      // Held open, so that no process starts on the folder and writes what would be lost.
      const lock = openSqlite(folder)
      try {
        const file = join(temporary, 'import')
        const source = { dataDir: folder, databaseUrl: undefined, secretKey: undefined }
        const key = await findFolderKey(place, folder)
        await writeBackup({ ...source, secretKey: key, secretKeyPrevious: undefined }, file)
        return [await restore(place, file), ...readLostFrames(folder).losses].join('\n')
      } finally {
        await lock.close()
      }
    })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function findFolderKey(place: Place, folder: string): Promise<string | undefined> {
  const source = openSqliteSource(folder)
  try {
    return await findSecretKey(source, place, readKey(folder))
  } finally {
    await source.close()
  }
}

async function writeBackup(place: Place, file: string): Promise<Record<string, number>> {
  const source = await openSource(place)
  try {
    const generated = place.databaseUrl ? undefined : readKey(place.dataDir)
    const key = place.secretKey ?? generated
    if (key === undefined) throw new CommandError('Set SECRET_KEY as the product has it.')
    const { tables, migrations } = source
    const header = {
      created_at: new Date().toISOString(),
      migrations,
      tables: [...tables],
      key_id: idOf(key),
      ...(place.secretKey === undefined ? { secret_key: key } : {}),
    }
    return await writeArchive(file, header, rowsOf(source))
  } finally {
    await source.close()
  }
}

async function assertSame(
  loaded: BackupSource,
  counts: Record<string, number>,
  ledgerSum: number,
): Promise<void> {
  const found: Record<string, number> = {}
  for (const table of loaded.tables) {
    let count = 0
    for await (const row of loaded.rows(table)) count += row.length > 0 ? 1 : 0
    found[table.name] = count
  }
  const wrong = Object.keys(counts).find((name) => counts[name] !== found[name])
  const sum = await ledgerSumOf(rowsOf(loaded), loaded.tables)
  if (wrong !== undefined || sum !== ledgerSum) {
    const what = wrong ?? 'the sum of the ledger'
    throw new CommandError(`The restored data differ in ${what}. Nothing was kept.`)
  }
}

function openSource({ databaseUrl, dataDir }: Place): Promise<BackupSource> | BackupSource {
  return databaseUrl ? openPostgresSource(databaseUrl) : openSqliteSource(dataDir)
}

async function* rowsOf(source: BackupSource): AsyncGenerator<ArchiveRow> {
  for (const [index, table] of source.tables.entries()) {
    for await (const values of source.rows(table)) yield { table: index, values }
  }
}

/** The sum of all amounts in thousandths of a credit. */
async function ledgerSumOf(
  rows: AsyncIterable<ArchiveRow>,
  tables: readonly { name: string; columns: readonly string[] }[],
): Promise<number> {
  const ledger = tables.findIndex(({ name }) => name === 'ledger')
  const amount = tables[ledger]?.columns.indexOf('amount') ?? -1
  let sum = 0
  for await (const { table, values } of rows) {
    if (table === ledger) sum += Number(values[amount])
  }
  return sum
}

async function unlessLocked<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DataDirectoryLockedError)) throw error
    throw new CommandError(`A process uses ${folder}. Stop it first.`, { cause: error })
  }
}

function readKey(folder: string): string | undefined {
  const file = join(folder, KEY_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Identifies a key without revealing it. */
function idOf(key: string): string {
  return createHmac('sha256', key).update('sohbet backup').digest('base64url')
}

function summary(counts: Record<string, number>): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${rows} rows of ${Object.keys(counts).length} tables`
}
