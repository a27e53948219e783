import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddingCheck, WorkspaceSettings } from '../../../server/workspaces/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { searchFor } from '../../helpers/knowledge.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addDocument,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import {
  type EmbeddingsServer,
  startEmbeddingsServer,
} from '../../helpers/servers/embeddings-server.ts'

const REFUNDS = '# Refunds\n\nRefunds reach the card within a week.'
const SHIPPING = '# Shipping\n\nEach parcel leaves on the day of its order.'
const PARKING = '# Parking\n\nA garage below the building is free.'
/** No word of it is in any document. */
const PARAPHRASE = 'Reimbursed cash?'

describeOnBothDatabases('a search with vectors', (database) => {
  let place: DatabasePlace
  let server: EmbeddingsServer
  const products: StartedProduct[] = []

  beforeEach(async () => {
    place = await database.create()
    server = await startEmbeddingsServer()
  })
  afterEach(async () => {
    for (const product of products.splice(0)) await product.stop()
    await server.close()
  })

  async function start(settings: Record<string, string> = {}): Promise<StartedProduct> {
    const product = await startTestProduct(place, {
      settings: {
        LOG_LEVEL: 'fatal',
        EMBEDDING_BASE_URL: server.url,
        EMBEDDING_API_KEY: 'sk-of-the-house',
        EMBEDDING_MODEL: 'small',
        ...settings,
      },
    })
    products.push(product)
    return product
  }

  async function addShop(product: StartedProduct): Promise<TestWorkspace> {
    const shop = await addWorkspace(product)
    for (const content of [REFUNDS, SHIPPING, PARKING]) {
      await addDocument(product, shop, { title: content.slice(2, content.indexOf('\n')), content })
    }
    return shop
  }

  const embeddedBy = async (product: StartedProduct, { tenantId }: TestWorkspace) => {
    const rows = await product.ctx.db
      .selectFrom('passage_vectors')
      .select(['model', 'dimension'])
      .where('tenant_id', '=', tenantId)
      .execute()
    return [...new Set(rows.map(({ model, dimension }) => `${rows.length} ${model} ${dimension}`))]
  }
  const stateOf = async (product: StartedProduct, { tenantId }: TestWorkspace) => {
    const row = await product.ctx.db
      .selectFrom('tenant_vectors')
      .select('model')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst()
    return row?.model
  }
  const found = async (product: StartedProduct, shop: TestWorkspace, question: string) =>
    (await searchFor(product, shop, question)).map(({ title }) => title)

  test('finds a paraphrase that shares no word with the document, in another language too', async () => {
    const product = await start()
    const shop = await addShop(product)
    await expect.poll(() => embeddedBy(product, shop)).toEqual(['3 small 10'])
    await expect.poll(() => stateOf(product, shop)).toBe('small')
    expect((await found(product, shop, PARAPHRASE))[0]).toBe('Refunds')
    expect((await found(product, shop, 'paket teslimat'))[0]).toBe('Shipping')
    // Both kinds of ranks count.
    expect((await found(product, shop, 'Is the garage free for a vehicle?'))[0]).toBe('Parking')
    expect(server.calls[0]?.authorization).toBe('Bearer sk-of-the-house')

    await addDocument(product, shop, { title: 'Faults', content: 'Defective goods are exchanged.' })
    await expect.poll(() => embeddedBy(product, shop)).toEqual(['4 small 10'])
    await expect.poll(async () => (await found(product, shop, 'bozuk'))[0]).toBe('Faults')
  })

  test('waits 300 ms for a vector at most, and goes on without', async () => {
    const product = await start()
    const shop = await addShop(product)
    await expect.poll(() => stateOf(product, shop)).toBe('small')
    server.act = 'silence'
    expect((await found(product, shop, 'parcel'))[0]).toBe('Shipping')
    server.act = 'refuse'
    expect(await found(product, shop, 'Defective?')).toEqual([])
  })

  test('embeds again for another model, and answers by words in the meantime', async () => {
    const first = await start()
    const shop = await addShop(first)
    await expect.poll(() => stateOf(first, shop)).toBe('small')
    await products.pop()?.stop()
    server.act = 'silence'
    const second = await start({ EMBEDDING_MODEL: 'larger-one' })
    expect(await found(second, shop, 'parcel')).toEqual(['Shipping'])
    await products.pop()?.stop()
    server.act = 'answer'
    const third = await start({ EMBEDDING_MODEL: 'larger-one' })
    await expect.poll(() => stateOf(third, shop)).toBe('larger-one')
    expect(await embeddedBy(third, shop)).toEqual(['3 larger-one 15'])
    expect((await found(third, shop, PARAPHRASE))[0]).toBe('Refunds')
  })

  test('may be with a model of the workspace, at a public address only', async () => {
    const guarded = await start()
    const shop = await addShop(guarded)
    const change = (product: StartedProduct, embedding: object | null) =>
      product.call<WorkspaceSettings & Problem>('/api/v1/workspace', {
        method: 'PATCH',
        token: shop.token,
        body: { embedding },
      })
    const own = { base_url: server.url, model: 'own-model', api_key: 'sk-own' }
    const refused = await change(guarded, own)
    expect(refused.status).toBe(422)
    expect(refused.body.errors?.[0]?.path).toBe('/embedding/base_url')
    await products.pop()?.stop()

    const product = await start({ ALLOW_PRIVATE_TARGETS: 'true' })
    const changed = await change(product, own)
    expect(changed.body.embedding).toEqual({
      base_url: server.url,
      model: 'own-model',
      has_api_key: true,
    })
    expect(changed.text).not.toContain('sk-own')
    await expect.poll(() => stateOf(product, shop)).toBe('own-model')
    expect((await found(product, shop, PARAPHRASE))[0]).toBe('Refunds')
    expect(server.calls.at(-1)).toMatchObject({ authorization: 'Bearer sk-own' })

    const check = async () =>
      (
        await product.call<EmbeddingCheck>('/api/v1/workspace/embedding/test', {
          method: 'POST',
          token: shop.token,
        })
      ).body
    expect(await check()).toMatchObject({ model: 'own-model', ok: true, detail: null })
    await change(product, { ...own, base_url: 'http://127.0.0.1:9' })
    expect(await check()).toMatchObject({ ok: false, detail: expect.any(String), dimensions: null })

    // A workspace whose model is local sends nothing to the installation's.
    await change(product, null)
    await product.call('/api/v1/workspace', {
      method: 'PATCH',
      token: shop.token,
      body: { model: { provider: 'embedded' } },
    })
    expect(await check()).toMatchObject({ model: null, ok: false })
    server.calls.splice(0)
    await found(product, shop, PARAPHRASE)
    await addDocument(product, shop, { title: 'Private', content: 'Nobody else reads it.' })
    expect(JSON.stringify(server.calls)).not.toContain('Nobody else')
  })
})
