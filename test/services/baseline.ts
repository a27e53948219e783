/**
 * `npm run baseline`: writes `test/data/baseline/{sqlite,postgres}.sql`, a stored database with rows in
 * every table, for the test that upgrades it. Run it after a change of a migration that has not been
 * released. After a release the files stay as they are: later migrations have to upgrade them.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrations } from '../../server/storage/migration-list.ts'
import {
  type CallOptions,
  type TestProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../helpers/product.ts'

type Value = string | number | null

const FOLDER = resolve(import.meta.dirname, '../data/baseline')

/** Columns of rows without a route that inserts them; other columns get a value of their type. */
const VALUES: Record<string, Record<string, Value>> = {
  canned_replies: { title: 'Greeting' },
  holds: { id: 'run_baseline', amount: 0, from_month: 0 },
  integrations: { kind: 'telegram', settings: '{}', secrets: '{}', billing_workspaces: '[]' },
  knowledge_jobs: { due_at: Number.MAX_SAFE_INTEGER },
  mails: { state: 'sent' },
  model_choices: { choices: '[]' },
  rules: { conditions: '[]', previous_secrets: '[]' },
  subscriptions: { events: '[]', previous_secrets: '[]' },
}
const DEFAULTS: Record<string, Value> = { text: 'done', bigint: 1, 'double precision': 0.5 }

const dataDir = await mkdtemp(join(tmpdir(), 'sohbet-baseline-'))
try {
  const product = await startTestProduct({ dataDir, databaseUrl: undefined })
  try {
    await useProduct(product)
  } finally {
    await product.stop()
  }
  const database = new Sqlite(join(dataDir, 'sohbet.db'))
  fillEmptyTables(database)
  const rows = dumpRows(database)
  database.close()
  await mkdir(FOLDER, { recursive: true })
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const schema = migrations.flatMap(({ statements }) =>
      typeof statements === 'function' ? statements(dialect) : statements,
    )
    const texts = [
      ...schema,
      'create table migrations (name text primary key, applied_at bigint not null, expands smallint not null default 0)',
      ...rows,
    ]
    const file = join(FOLDER, `${dialect}.sql`)
    await writeFile(file, texts.map((text) => `${text};\n`).join(''))
    console.log(`${file}: ${rows.length} tables`)
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

/** Inserts rows through the API: an owner, a tenant, a document, a prompt, a rule, a conversation. */
async function useProduct(product: TestProduct): Promise<void> {
  const workspace = await addWorkspace(product, { tenant: { daily_credit_cap: 1_000 } })
  const { token, tenantId } = workspace
  const call = async (path: string, options: CallOptions) => {
    const answer = await product.call(path, { token, ...options })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  }
  await call(`/api/v1/tenants/${tenantId}/knowledge`, {
    body: { kind: 'markdown', title: 'Returns', content: '# Returns\n\nReturns take 14 days.' },
  })
  await call('/api/v1/prompts', {
    body: {
      prompt_id: 'offer',
      title: 'Offer',
      kind: 'fixed',
      credits_cost: 2,
      template: 'Write an offer for {{product}}.',
      inputs_schema: { type: 'object', properties: { product: { type: 'string' } } },
    },
  })
  await call('/api/v1/prompts/execute', {
    body: { prompt_id: 'summary', inputs: { text: 'Returns take 14 days. Keep the receipt.' } },
  })
  await call('/api/v1/api-keys', { body: { name: 'CRM' } })
  const visitor = await addVisitor(product, workspace)
  await call('/api/v1/chatbot/message', {
    token: visitor,
    headers: { 'x-request-id': 'baseline' },
    body: { tenant_id: tenantId, message: 'How long do returns take?' },
  })
}

/** Inserts a row into each empty table. Foreign keys reference the first row of their table. */
function fillEmptyTables(database: Sqlite.Database): void {
  for (const table of listTables(database)) {
    if (database.prepare(`select 1 from ${table}`).get() !== undefined) continue
    const references = new Map(
      database
        .prepare<[string], { from: string; table: string; to: string }>(
          'select "from", "table", "to" from pragma_foreign_key_list(?)',
        )
        .all(table)
        .map((key) => [key.from, key]),
    )
    const columns = database
      .prepare<[string], { name: string; type: string }>(
        'select name, lower(type) as type from pragma_table_info(?) where "notnull" = 1 or pk > 0',
      )
      .all(table)
    const own = VALUES[table] ?? {}
    const values = columns.map(({ name, type }): Value => {
      const given = own[name]
      if (given !== undefined) return given
      const key = references.get(name)
      if (!key) return DEFAULTS[type] ?? null
      const found = database.prepare<[], Value>(`select ${key.to} from ${key.table}`).pluck().get()
      return found ?? null
    })
    const names = columns.map(({ name }) => name)
    const places = names.map(() => '?')
    database
      .prepare(`insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`)
      .run(...values)
  }
}

/** Returns an `insert` per table, in the order of the foreign keys. */
function dumpRows(database: Sqlite.Database): string[] {
  return listTables(database).map((table) => {
    const statement = database.prepare<[], Value[]>(`select * from ${table}`)
    const names = statement.columns().map(({ name }) => name)
    const rows = statement.raw().all()
    const lines = rows.map((row) => `  (${row.map(literal).join(', ')})`)
    return `insert into ${table} (${names.join(', ')}) values\n${lines.join(',\n')}`
  })
}

/** Returns the tables in the order of the migrations. */
function listTables(database: Sqlite.Database): string[] {
  return database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' order by rowid")
    .pluck()
    .all()
}

function literal(value: Value): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
