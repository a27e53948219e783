import type { Config } from '../../server/config.ts'
import { keyIdsIn, masterKey } from '../../server/lib/encryption.ts'
import { ENCRYPTED_COLUMNS } from '../../server/platform/secrets/key-rotation.ts'
import { CommandError } from '../command-error.ts'
import type { BackupSource } from './database.ts'

/**
 * Returns the key that the secrets of a database are encrypted with: `SECRET_KEY`, else the one before,
 * else the `generated` one, which stays in the folder when `SECRET_KEY` takes its place. Throws
 * `CommandError` where it is none of them.
 */
export async function findSecretKey(
  source: BackupSource,
  { secretKey, secretKeyPrevious }: Pick<Config, 'secretKey' | 'secretKeyPrevious'>,
  generated: string | undefined,
): Promise<string | undefined> {
  const ids = await keyIdsOf(source)
  const known = [secretKey, secretKeyPrevious, generated].filter((key) => key !== undefined)
  const used = known.find((key) => ids.has(masterKey(key).id))
  if (used === undefined && ids.size > 0) {
    throw new CommandError(
      'SECRET_KEY is not the key of the stored secrets. Set the key that was in force.',
    )
  }
  return used ?? known[0]
}

async function keyIdsOf(source: BackupSource): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, column } of ENCRYPTED_COLUMNS) {
    // A database of an older version has fewer of them.
    const found = source.tables.find(({ name }) => name === table)
    if (!found?.columns.includes(column)) continue
    for await (const [text] of source.rows({ name: table, columns: [column] })) {
      for (const id of typeof text === 'string' ? keyIdsIn(text) : []) ids.add(id)
    }
  }
  return ids
}
