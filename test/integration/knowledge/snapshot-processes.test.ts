import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { describeOnBothDatabases, describeOnPostgres } from '../../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../../helpers/process.ts'
import { METRICS_TOKEN, addDocument, addWorkspace, callOver } from '../../helpers/product.ts'
import { useStartedProducts } from '../../helpers/use-product.ts'
import { manual, readCounts, searchedTexts, storedParts } from './snapshot-site.ts'

const TEST_MS = 120_000

describeOnBothDatabases('a process that is killed while it stores an index', (database) => {
  const start = useStartedProducts()
  let running: TestProcess | undefined
  let locker: pg.Client | undefined
  afterEach(async () => {
    await locker?.end()
    await running?.end('SIGKILL')
  })

  /** Lets no process write the table, and returns when one waits for that. */
  async function lockSnapshots(url: string): Promise<() => Promise<unknown>> {
    const client = new pg.Client({ connectionString: url })
    locker = client
    await client.connect()
    await client.query('begin; lock table index_snapshots in share mode')
    const waiters = `select count(*)::int as count from pg_locks where not granted
      and relation = 'index_snapshots'::regclass`
    return () => expect.poll(async () => (await client.query(waiters)).rows).toEqual([{ count: 1 }])
  }

  test(
    'leaves a whole one or none',
    async () => {
      const place = await database.create()
      const first = await start(place)
      const site = await addWorkspace(first)
      await addDocument(first, site, manual('hatch'))
      await first.stop()

      running = await startTestProcess(place, { METRICS_TOKEN })
      const path = `/api/v1/tenants/${site.tenantId}/search?q=hatch`
      const found = await callOver<{ data: unknown[] }>(running.url, path, { token: site.token })
      expect(found.body.data.length).toBeGreaterThan(0)
      const isWaiting = place.databaseUrl && (await lockSnapshots(place.databaseUrl))
      // It stores the index now that it stops.
      running.child.kill('SIGTERM')
      if (isWaiting) await isWaiting()
      expect(await running.end('SIGKILL')).toBeNull()
      await locker?.query('rollback')

      const last = await start(place)
      expect((await searchedTexts(last, site))[0]).toContain('model 7')
      const { builds = 0, loaded = 0, rejected } = await readCounts(last)
      expect([builds + loaded, rejected]).toEqual([1, 0])
      // The lock came before the store.
      expect(builds).toBeGreaterThanOrEqual(database.kind === 'postgres' ? 1 : 0)
    },
    TEST_MS,
  )
})

describeOnPostgres('two processes that store the same index', (database) => {
  const start = useStartedProducts()

  test('leave one that is whole', async () => {
    const place = await database.create()
    const [first, second] = [await start(place), await start(place)]
    const site = await addWorkspace(first)
    await addDocument(first, site, manual('hatch'))
    const texts = await searchedTexts(first, site)
    expect(await searchedTexts(second, site)).toEqual(texts)
    await Promise.all([first.stop(), second.stop()])

    const third = await start(place)
    expect(await storedParts(third, site)).toBe(1)
    expect(await searchedTexts(third, site)).toEqual(texts)
    expect(await readCounts(third)).toMatchObject({ builds: 0, loaded: 1, rejected: 0 })
  })
})
