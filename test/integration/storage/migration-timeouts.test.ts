import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { migrations } from '../../../server/storage/migration-list.ts'
import { openStorage } from '../../../server/storage/open.ts'
import { migratePostgres } from '../../../server/storage/postgres/migration.ts'
import { describeOnPostgres } from '../../helpers/databases.ts'

const MIGRATION_LOCK = 7_205_561_203
const BOUND_MS = 300
/** As the URL of a database may set them, in place of the product's 30 and 35 s. */
const BOUNDS = { statement_timeout: BOUND_MS, lock_timeout: BOUND_MS, query_timeout: BOUND_MS }
const LONG_SECONDS = (2 * BOUND_MS) / 1_000

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function connect(connectionString: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  stops.push(() => client.end())
  return client
}

describeOnPostgres('a migration, where statements are cancelled after a while,', (database) => {
  async function createBounded(): Promise<{ dataDir: string; url: string; databaseUrl: string }> {
    const { dataDir, databaseUrl = '' } = await database.create()
    const bounded = new URL(databaseUrl)
    for (const [name, ms] of Object.entries(BOUNDS)) bounded.searchParams.set(name, String(ms))
    return { dataDir, url: databaseUrl, databaseUrl: bounded.href }
  }

  test.each(['prepared', 'simple'] as const)(
    'waits for the one of another process to its end, with %s statements',
    async (databaseStatements) => {
      const { dataDir, url, databaseUrl } = await createBounded()
      const other = await connect(url)
      await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      const opened = openStorage({ dataDir, databaseUrl, databaseStatements }, Date.now()).then(
        (storage) => storage.close(),
        String,
      )
      const waited = async () => {
        const { rows } = await other.query<{ seconds: number }>(
          `select extract(epoch from clock_timestamp() - query_start)::float8 as seconds
            from pg_stat_activity
            where datname = current_database() and wait_event = 'advisory'`,
        )
        return rows[0]?.seconds
      }
      await expect.poll(waited).toBeGreaterThan(LONG_SECONDS)
      await other.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
      expect(await opened).toBeUndefined()
    },
  )

  test.each(['prepared', 'simple'] as const)(
    'is not cancelled in a long step, with %s statements',
    async (statements) => {
      const { url, databaseUrl } = await createBounded()
      const long = {
        name: 'chat-999',
        statements: [`select pg_sleep(${LONG_SECONDS})`, 'create table later (id text)'],
      }
      await migratePostgres(databaseUrl, [...migrations, long], { statements, now: Date.now() })
      const { rows } = await (await connect(url)).query("select to_regclass('later') as found")
      expect(rows).toEqual([{ found: 'later' }])
    },
  )
})
