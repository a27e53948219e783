import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/model-server.ts'
import { type TestProduct, type TestWorkspace, startTestProduct } from '../../helpers/product.ts'
import { ask, openShop, readBy, settingsOf } from '../models/answering-visitor.ts'

describeOnBothDatabases('a model that hands over', (database) => {
  let server: ModelServer
  let product: TestProduct
  let shop: TestWorkspace

  beforeAll(async () => {
    server = await startModelServer()
    product = await startTestProduct(await database.create(), {
      settings: { ...settingsOf(server), LOG_LEVEL: 'fatal' },
    })
    shop = await openShop(product)
    server.act = ({ body }) =>
      readBy(body).results.length > 0
        ? { text: ['As you wish.'] }
        : { calls: [{ id: 'c1', name: 'handoff', input: '{}' }] }
  })
  afterAll(async () => {
    await product.stop()
    await server.close()
  })

  test('does so when the visitor asks for a person, and is silent from then on', async () => {
    const { body } = await ask(product, shop, 'Bir yetkiliyle konuşabilir miyim?')
    expect(body).toMatchObject({ state: 'waiting', reply: { content: 'As you wish.' } })
    const next = await ask(product, shop, 'Hello?', { session_id: body.session_id })
    expect(next.body).toMatchObject({ state: 'waiting', reply: null })
  })

  test('cannot when nobody has asked for one, whatever a document says', async () => {
    const { body } = await ask(product, shop, 'What is the return period?')
    expect(body.state).toBe('bot')
  })
})
