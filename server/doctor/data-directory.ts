import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { defect, fine, reasonOf, warning } from './findings.ts'
import type { Finding } from './schema.ts'

const OTHERS_MASK = 0o077
const PRIVATE_FILES = ['.', 'sohbet.db', 'secret.key']
const GIGABYTE = 1_000_000_000
const MIN_FREE_BYTES = GIGABYTE / 10
const LOW_FREE_BYTES = GIGABYTE
const LOW_FREE_SHARE = 0.05

/** Whether `DATA_DIR` can be written, and by its user alone. */
export async function examineDataDirectory({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl) return [fine('data_dir', 'Not used: the data are in Postgres.')]
  const folder = await stat(dataDir).catch(() => undefined)
  const where = folder ? dataDir : await existingParent(dataDir)
  const writable = await access(where, constants.W_OK | constants.X_OK).then(
    () => undefined,
    reasonOf,
  )
  if (writable !== undefined) {
    const remedy = `Give it to the user that runs the product: chown -R USER ${dataDir}`
    return [defect('data_dir', `${where} cannot be written: ${writable}.`, remedy)]
  }
  if (!folder) return [fine('data_dir', `${dataDir} does not exist yet: the first start makes it.`)]
  const open: string[] = []
  for (const name of PRIVATE_FILES) {
    const found = await stat(join(dataDir, name)).catch(() => undefined)
    if (found && (found.mode & OTHERS_MASK) !== 0) open.push(name === '.' ? dataDir : name)
  }
  if (open.length > 0) {
    const remedy = `chmod -R go-rwx ${dataDir}`
    return [warning('data_dir', `Other users of the machine may read ${open.join(', ')}.`, remedy)]
  }
  return [fine('data_dir', `${dataDir} can be written, and is private.`)]
}

/** The free room of the disk that the embedded database is on. */
export async function examineDisk({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  if (databaseUrl) {
    return [fine('disk', 'The data are on the disk of Postgres, which is seen there alone.')]
  }
  const { bavail, blocks, bsize } = await statfs(await existingParent(dataDir))
  const free = bavail * bsize
  const detail = `${(free / GIGABYTE).toFixed(1)} GB are free for DATA_DIR.`
  const remedy = 'Make room, or move DATA_DIR to a larger disk while the product is stopped.'
  if (free < MIN_FREE_BYTES) return [defect('disk', detail, remedy)]
  const isLow = free < LOW_FREE_BYTES || bavail / blocks < LOW_FREE_SHARE
  return [isLow ? warning('disk', detail, remedy) : fine('disk', detail)]
}

async function existingParent(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found || dirname(path) === path ? path : existingParent(dirname(path))
}
