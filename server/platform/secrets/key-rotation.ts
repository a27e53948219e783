import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** A column with encrypted secrets, alone or inside JSON. */
interface EncryptedColumn {
  table: string
  /** The primary key. */
  key: string
  column: string
  /** The encryption context of a row; by default the row's key. */
  context?: (key: string) => string
}

/** Every encrypted column whose rows live longer than a day. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'rules', key: 'id', column: 'secret' },
  { table: 'rules', key: 'id', column: 'previous_secrets' },
  { table: 'subscriptions', key: 'id', column: 'secret' },
  { table: 'subscriptions', key: 'id', column: 'previous_secrets' },
  { table: 'tenants', key: 'id', column: 'identity_secret' },
  { table: 'actions', key: 'id', column: 'secret' },
  { table: 'actions', key: 'id', column: 'previous_secrets' },
  { table: 'actions', key: 'id', column: 'headers' },
  { table: 'two_factor', key: 'user_id', column: 'secret' },
  { table: 'integrations', key: 'id', column: 'secrets' },
  { table: 'installation_secrets', key: 'name', column: 'content' },
  { table: 'push_subscriptions', key: 'id', column: 'content' },
  {
    table: 'model_choices',
    key: 'workspace_id',
    column: 'choices',
    context: (workspaceId) => `${workspaceId}:model`,
  },
  {
    table: 'embedding_choices',
    key: 'workspace_id',
    column: 'api_key',
    context: (workspaceId) => `${workspaceId}:embedding`,
  },
]

/** Small chunks, so that other writers do not wait long for the database. */
const CHUNK_SIZE = 200

interface EncryptedRow {
  key: string
  text: string
}

/**
 * Re-encrypts with `SECRET_KEY` the secrets of `SECRET_KEY_PREVIOUS`, so that the previous key can be
 * dropped. Skips a secret that changes at the same time: its new value has the new key. Idempotent.
 */
export async function reencryptSecrets(ctx: Context): Promise<void> {
  const { previousKeyId } = ctx.secrets
  if (previousKeyId === undefined) return
  let count = 0
  for (const place of ENCRYPTED_COLUMNS) count += await reencryptColumn(ctx, place, previousKeyId)
  if (count > 0) {
    ctx.log.info({ event: 'secrets.reencrypted', secrets: count }, 'secrets re-encrypted')
  }
}

async function reencryptColumn(
  ctx: Context,
  { table, key, column, context = (own) => own }: EncryptedColumn,
  previousKeyId: string,
): Promise<number> {
  const [name, id, text] = [sql.table(table), sql.ref(key), sql.ref(column)]
  let count = 0
  let after = ''
  for (;;) {
    const { rows } = await sql<EncryptedRow>`
      select ${id} as key, ${text} as text from ${name}
      where ${id} > ${after} and ${text} like ${`%${previousKeyId}.%`}
      order by ${id} limit ${CHUNK_SIZE}`.execute(ctx.db)
    for (const row of rows) {
      const ciphertext = reencrypted(ctx, row, context(row.key))
      if (ciphertext === undefined) continue
      const result = await sql`
        update ${name} set ${text} = ${ciphertext}
        where ${id} = ${row.key} and ${text} = ${row.text}`.execute(ctx.db)
      count += Number(result.numAffectedRows ?? 0n)
    }
    if (rows.length < CHUNK_SIZE) return count
    after = rows.at(-1)?.key ?? after
  }
}

/** Returns the re-encrypted text; undefined when a secret cannot be decrypted. */
function reencrypted(ctx: Context, row: EncryptedRow, context: string): string | undefined {
  try {
    return ctx.secrets.reencrypt(row.text, context)
  } catch (error) {
    ctx.log.error(
      { event: 'secrets.decryption_failed', err: error, row: row.key },
      'secret decryption failed',
    )
    return undefined
  }
}
