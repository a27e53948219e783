import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** A column that holds sealed secrets, alone or inside JSON. */
interface EncryptedColumn {
  table: string
  /** The primary key. */
  key: string
  column: string
  /** What the secrets of a row are bound to; the row's key, unless said otherwise. */
  context?: (key: string) => string
}

/** Every column that is sealed and outlives a day. */
const SEALED: readonly EncryptedColumn[] = [
  { table: 'rules', key: 'id', column: 'secret' },
  { table: 'rules', key: 'id', column: 'previous_secrets' },
  { table: 'subscriptions', key: 'id', column: 'secret' },
  { table: 'subscriptions', key: 'id', column: 'previous_secrets' },
  { table: 'tenants', key: 'id', column: 'identity_secret' },
  { table: 'integrations', key: 'id', column: 'secrets' },
  {
    table: 'model_choices',
    key: 'workspace_id',
    column: 'choices',
    context: (workspaceId) => `${workspaceId}:model`,
  },
]

/** Small steps, so that nobody waits long for the database. */
const CHUNK = 200

interface EncryptedRow {
  key: string
  text: string
}

/**
 * Seals anew with `SECRET_KEY` what `SECRET_KEY_PREVIOUS` has sealed, so that the previous key can be
 * dropped. A secret that is changed meanwhile is left alone: it is sealed with the new key already.
 */
export async function reencryptSecrets(ctx: Context): Promise<void> {
  const { previousKeyId } = ctx.secrets
  if (previousKeyId === undefined) return
  let count = 0
  for (const place of SEALED) count += await reencryptColumn(ctx, place, previousKeyId)
  if (count > 0) ctx.log.info({ secrets: count }, 'sealed anew with the current SECRET_KEY')
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
      order by ${id} limit ${CHUNK}`.execute(ctx.db)
    for (const row of rows) {
      const anew = reencrypted(ctx, row, context(row.key))
      if (anew === undefined) continue
      const result = await sql`
        update ${name} set ${text} = ${anew}
        where ${id} = ${row.key} and ${text} = ${row.text}`.execute(ctx.db)
      count += Number(result.numAffectedRows ?? 0n)
    }
    if (rows.length < CHUNK) return count
    after = rows.at(-1)?.key ?? after
  }
}

/** The text with its secrets sealed anew; undefined for one that cannot be opened. */
function reencrypted(ctx: Context, row: EncryptedRow, context: string): string | undefined {
  try {
    return ctx.secrets.reencrypt(row.text, context)
  } catch (error) {
    ctx.log.error({ err: error, row: row.key }, 'a stored secret cannot be opened')
    return undefined
  }
}
