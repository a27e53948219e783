import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { evictSnapshots } from '../../../server/knowledge/snapshots/store.ts'
import { eraseClosedWorkspaces } from '../../../server/workspaces/closing.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { sohbet } from '../../helpers/process.ts'
import {
  type LogLine,
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
} from '../../helpers/product.ts'
import { useStartedProducts } from '../../helpers/use-product.ts'
import { manual, readCounts, searchedTexts, serialNumbers, storedParts } from './snapshot-site.ts'

const STORE_DELAY_MS = 30_000
const TEST_MS = 120_000

describeOnBothDatabases('a stored search index', (database) => {
  const start = useStartedProducts()

  /** A site whose index a process has stored when it stopped. */
  async function storeIndex(): Promise<{
    place: DatabasePlace
    site: TestWorkspace
    docId: string
    texts: string[]
  }> {
    const place = await database.create()
    const product = await start(place)
    const site = await addWorkspace(product)
    const docId = await addDocument(product, site, manual('hatch'))
    const texts = await searchedTexts(product, site)
    expect(texts[0]).toContain('model 7')
    await product.stop()
    return { place, site, docId, texts }
  }

  test('is loaded by the next process, whose answers are the same', async () => {
    const { place, site, texts } = await storeIndex()
    const second = await start(place)
    expect(await searchedTexts(second, site)).toEqual(texts)
    expect(await readCounts(second)).toMatchObject({ builds: 0, loaded: 1, stored: 0 })
  })

  test('is loaded by the warm-up, before any question', async () => {
    const place = await database.create()
    const first = await start(place)
    const site = await addWorkspace(first)
    await addDocument(first, site, manual('hatch'))
    await first.call('/api/v1/chatbot/message', {
      token: await addVisitor(first, site),
      body: { tenant_id: site.tenantId, message: 'Which key opens model 7?' },
    })
    await first.stop()

    const second = await start(place)
    await expect.poll(() => readCounts(second)).toMatchObject({ builds: 0, loaded: 1 })
  })

  const damages: Record<
    string,
    { damage: (product: TestProduct) => Promise<unknown>; verb?: string }
  > = {
    'has a wrong byte': {
      damage: async ({ ctx }) => {
        const { content } = await ctx.db
          .selectFrom('index_snapshots')
          .select('content')
          .executeTakeFirstOrThrow()
        const changed = Buffer.from(content)
        changed[changed.length - 20] = (changed.at(-20) ?? 0) ^ 1
        await ctx.db.updateTable('index_snapshots').set({ content: changed }).execute()
      },
    },
    'is truncated': {
      damage: ({ ctx }) =>
        sql`update index_snapshots set content = substr(content, 1, 400)`.execute(ctx.db),
    },
    'is empty': {
      damage: ({ ctx }) =>
        sql`update index_snapshots set content = substr(content, 1, 0)`.execute(ctx.db),
    },
    'lacks its first half': {
      damage: ({ ctx }) =>
        sql`update index_snapshots set content = substr(content, 400)`.execute(ctx.db),
    },
    'is of another version of the product': {
      damage: ({ ctx }) => sql`update index_snapshots set stamp = 'another'`.execute(ctx.db),
    },
    'is of other passages': {
      damage: ({ ctx }) =>
        sql`update passages set content = replace(content, 'opened', 'locked')`.execute(ctx.db),
      verb: 'locked',
    },
  }

  test.each(Object.keys(damages))('that %s is replaced by one that is built', async (name) => {
    const { place, site, texts } = await storeIndex()
    const second = await start(place)
    const { damage, verb = 'opened' } = damages[name] ?? {}
    await damage?.(second)
    const current = await searchedTexts(second, site)
    expect(current).toEqual(texts.map((text) => text.replaceAll('opened', verb)))
    expect(await readCounts(second)).toMatchObject({ builds: 1, loaded: 0, rejected: 1 })
    expect(await storedParts(second, site)).toBe(0)
    await second.stop()

    const third = await start(place)
    expect(await searchedTexts(third, site)).toEqual(current)
    expect(await readCounts(third)).toMatchObject({ builds: 0, loaded: 1 })
  })

  test('of several parts is loaded, and replaced where one is missing', async () => {
    const place = await database.create()
    const first = await start(place)
    const site = await addWorkspace(first)
    for (const document of [manual('hatch'), serialNumbers('2025'), serialNumbers('2026')])
      await addDocument(first, site, document)
    const texts = await searchedTexts(first, site)
    await first.stop()

    const second = await start(place)
    expect(await storedParts(second, site)).toBeGreaterThan(1)
    expect(await searchedTexts(second, site)).toEqual(texts)
    expect(await readCounts(second)).toMatchObject({ builds: 0, loaded: 1 })
    await sql`delete from index_snapshots where part = 1`.execute(second.ctx.db)
    await second.stop()

    const third = await start(place)
    expect(await searchedTexts(third, site)).toEqual(texts)
    expect(await readCounts(third)).toMatchObject({ builds: 1, rejected: 1 })
    expect(await storedParts(third, site)).toBe(0)
  })

  test('goes with a document, in the same transaction', async () => {
    const { place, site, docId } = await storeIndex()
    const second = await start(place)
    expect(await storedParts(second, site)).toBe(1)
    await second.call(`/api/v1/tenants/${site.tenantId}/knowledge/${docId}`, {
      method: 'DELETE',
      token: site.token,
    })
    expect(await storedParts(second, site)).toBe(0)
    expect(await searchedTexts(second, site)).toEqual([])
  })

  test('goes with its site', async () => {
    const { place, site } = await storeIndex()
    const second = await start(place)
    const path = `/api/v1/tenants/${site.tenantId}`
    const removed = await second.call(path, { method: 'DELETE', token: site.token })
    expect(removed.status).toBe(204)
    expect(await storedParts(second, site)).toBe(0)
  })

  test('goes with its workspace', async () => {
    const { place, site } = await storeIndex()
    const second = await start(place)
    await sql`update workspaces set closed_at = 1 where id = ${site.id}`.execute(second.ctx.db)
    await eraseClosedWorkspaces(second.ctx)
    expect(await storedParts(second, site)).toBe(0)
  })

  test(
    'is in no backup',
    async () => {
      const { place, site, texts } = await storeIndex()
      const folder = await mkdtemp(join(tmpdir(), 'sohbet-backup-'))
      const file = join(folder, 'today.sohbet')
      const empty = await database.createEmpty()
      try {
        expect(await sohbet(place, 'backup', file)).toMatchObject({ code: 0 })
        expect(await sohbet(empty, 'restore', file)).toMatchObject({ code: 0 })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
      const restored = await start(empty)
      expect(await storedParts(restored, site)).toBe(0)
      expect(await searchedTexts(restored, site)).toEqual(texts)
    },
    TEST_MS,
  )

  test('makes room for newer ones', async () => {
    const { place, site } = await storeIndex()
    const second = await start(place)
    const newer = await addWorkspace(second)
    await addDocument(second, newer, manual('lid'))
    await searchedTexts(second, newer)
    await second.stop()

    const third = await start(place)
    const { db } = third.ctx
    const sizes = await db.selectFrom('index_snapshots').select('bytes').execute()
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    await evictSnapshots(db, total)
    expect([await storedParts(third, site), await storedParts(third, newer)]).toEqual([1, 1])
    await evictSnapshots(db, total - 1)
    expect([await storedParts(third, site), await storedParts(third, newer)]).toEqual([0, 1])
    await evictSnapshots(db, 0)
    expect(await storedParts(third, newer)).toBe(0)
  })

  describe('while the process runs', () => {
    async function startWithClock(onLog?: (line: LogLine) => void) {
      const clock = new TestClock(Date.now())
      const product = await start(await database.create(), {
        clock,
        settings: { LOG_LEVEL: 'warn' },
        ...(onLog ? { onLog } : {}),
      })
      const site = await addWorkspace(product)
      return { clock, product, site }
    }

    test('waits until the site has not changed for half a minute', async () => {
      const { clock, product, site } = await startWithClock()
      for (let change = 0; change < 3; change += 1) {
        await addDocument(product, site, manual(`hatch${change}`))
        await searchedTexts(product, site)
        clock.move(STORE_DELAY_MS - 1)
      }
      expect(await readCounts(product)).toMatchObject({ builds: 3, stored: 0, outdated: 0 })
      clock.move(1)
      await expect.poll(() => readCounts(product)).toMatchObject({ stored: 1, outdated: 0 })
      expect(await storedParts(product, site)).toBe(1)
    })

    test('is not stored once a document was removed', async () => {
      const { clock, product, site } = await startWithClock()
      const docId = await addDocument(product, site, manual('hatch'))
      await searchedTexts(product, site)
      await product.call(`/api/v1/tenants/${site.tenantId}/knowledge/${docId}`, {
        method: 'DELETE',
        token: site.token,
      })
      clock.move(STORE_DELAY_MS)
      await expect.poll(() => readCounts(product)).toMatchObject({ outdated: 1, stored: 0 })
      expect(await storedParts(product, site)).toBe(0)
    })

    test('costs no answer where the database refuses it, and one line of the log', async () => {
      const lines: LogLine[] = []
      const { clock, product, site } = await startWithClock((line) => lines.push(line))
      await refuseInserts(product)
      for (const failed of [1, 2]) {
        await addDocument(product, site, manual(`hatch${failed}`))
        expect((await searchedTexts(product, site))[0]).toContain('model 7')
        clock.move(STORE_DELAY_MS)
        await expect.poll(() => readCounts(product)).toMatchObject({ failed, stored: 0 })
      }
      expect(lines.map(({ event }) => event)).toEqual(['knowledge.snapshot_failed'])
    })

    test('is neither read nor stored for a site of a few passages', async () => {
      const { clock, product, site } = await startWithClock()
      await addDocument(product, site, { title: 'Hours', content: 'Model 7 is open.' })
      expect(await searchedTexts(product, site)).toHaveLength(1)
      clock.move(STORE_DELAY_MS)
      expect(await readCounts(product)).toMatchObject({ builds: 1, missing: 0, stored: 0 })
    })
  })

  async function refuseInserts({ ctx }: TestProduct): Promise<void> {
    const statements =
      database.kind === 'sqlite'
        ? [
            `create trigger refuse before insert on index_snapshots
              begin select raise(abort, 'no'); end`,
          ]
        : [
            `create function refuse() returns trigger language plpgsql as
              $$ begin raise exception 'no'; end $$`,
            `create trigger refuse before insert on index_snapshots
              for each row execute function refuse()`,
          ]
    for (const statement of statements) await sql.raw(statement).execute(ctx.db)
  }
})
