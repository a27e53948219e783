import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { IndexCache } from '../../../server/knowledge/index-cache.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  METRICS_TOKEN,
  type StartedProduct,
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const OPEN = 'sohbet_search_indexes_open'
const BYTES = 'sohbet_search_indexes_bytes'
const MISSES = 'sohbet_cache_requests_total{cache="search_index",result="miss"}'
const DOCUMENT = { title: 'Delivery', content: '# Delivery\n\nDelivery takes two days.' }
const BUILD_BYTES = 10_000_000

/** Returns the value of a series in the text format. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1))
}

async function readMetric(product: StartedProduct, series: string): Promise<number> {
  const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
  return valueOf(text, series)
}

async function ask(product: StartedProduct, visitor: string, tenantId: string): Promise<string> {
  const { text } = await product.call('/api/v1/chatbot/message', {
    token: visitor,
    body: { tenant_id: tenantId, message: 'How long does delivery take?' },
  })
  return text
}

describeOnBothDatabases('a started process', (database) => {
  test('has the index of a site that was asked, before any question', async () => {
    const place = await database.create()
    const first = await startTestProduct(place)
    const asked = await addWorkspace(first)
    const silent = await addWorkspace(first)
    for (const site of [asked, silent]) await addDocument(first, site, DOCUMENT)
    const visitor = await addVisitor(first, asked)
    expect(await ask(first, visitor, asked.tenantId)).toContain('two days')
    await first.stop()

    const second = await startTestProduct(place)
    try {
      await expect.poll(() => readMetric(second, BYTES)).toBeGreaterThan(0)
      expect(await readMetric(second, OPEN)).toBe(1)
      expect(await ask(second, visitor, asked.tenantId)).toContain('two days')
      expect(await readMetric(second, MISSES)).toBe(0)
      expect(await readMetric(second, OPEN)).toBe(1)
    } finally {
      await second.stop()
    }
  })

  test('keeps the indexes of asked sites where there is no room for more', async () => {
    const product = await startTestProduct(await database.create())
    try {
      const [asked, other] = [await addWorkspace(product), await addWorkspace(product)]
      for (const site of [asked, other]) await addDocument(product, site, DOCUMENT)
      // One build reserves all the memory.
      const indexes = new IndexCache({ tenantBytes: BUILD_BYTES, totalBytes: BUILD_BYTES })
      const registry = new Registry()
      indexes.expose(registry)
      const placeOf = ({ id, tenantId }: TestWorkspace) => ({
        workspaceId: id,
        tenantId,
        version: 1,
      })
      const find = (site: TestWorkspace) =>
        indexes.find(product.ctx, placeOf(site), { question: 'delivery' }, 1)
      await indexes.warm(product.ctx, placeOf(other))
      expect(valueOf(await registry.metrics(), OPEN)).toBe(1)
      await find(asked)
      await indexes.warm(product.ctx, placeOf(other))
      await find(asked)
      const text = await registry.metrics()
      expect(valueOf(text, OPEN)).toBe(1)
      expect(valueOf(text, MISSES)).toBe(1)
    } finally {
      await product.stop()
    }
  })
})
