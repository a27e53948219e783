import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fact, Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../../helpers/product.ts'
import { type ModelServer, startModelServer } from '../../../helpers/servers/model-server.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ask, openShop, readBy, settingsOf } from '../../models/answering-visitor.ts'

describeOnDatabase("a visitor who wants a workspace's facts", (database) => {
  let server: ModelServer
  let shop: TestWorkspace
  let sibling: string

  beforeAll(async () => {
    server = await startModelServer()
  })
  afterAll(() => server.close())
  const product = useProduct(database, () => ({
    settings: { ...settingsOf(server), LOG_LEVEL: 'fatal' },
  }))
  beforeAll(async () => {
    shop = await openShop(product)
    sibling = `${shop.tenantId}-b`.slice(-40)
    const body = { tenant_id: sibling, name: 'Other site' }
    await product.call('/api/v1/tenants', { token: shop.token, body })
  })

  const save = (key: string, body: object) =>
    product.call<Fact & Problem>(`/api/v1/memory/${key}`, {
      method: 'PUT',
      token: shop.token,
      body: { value: key, ...body },
    })

  test('gets the public ones of this site or of none', async () => {
    const saved = await save('margin', {})
    expect(saved.body).toMatchObject({ value: 'margin', tenant_id: null, public: false })
    await save('private-here', { tenant_id: shop.tenantId })
    await save('public-there', { tenant_id: sibling, public: true })
    await save('public-everywhere', { public: true })
    const here = await save('public-here', { tenant_id: shop.tenantId, public: true })
    expect(here.body).toMatchObject({ tenant_id: shop.tenantId, public: true })
    await ask(product, shop, 'What do you know?')
    expect(readBy(server.calls.at(-1)?.body ?? {}).document.facts).toEqual({
      'public-everywhere': 'public-everywhere',
      'public-here': 'public-here',
    })
    await save('public-here', {})
    await ask(product, shop, 'And what do you know now?')
    expect(readBy(server.calls.at(-1)?.body ?? {}).document.facts).toEqual({
      'public-everywhere': 'public-everywhere',
    })
  })

  test('gets none for a site of another workspace, which no fact can name', async () => {
    const other = await addWorkspace(product)
    const foreign = await save('foreign', { tenant_id: other.tenantId, public: true })
    expect(foreign.status).toBe(403)
    const unknown = await save('unknown', { tenant_id: 'nowhere-at-all', public: true })
    expect(unknown.status).toBe(404)
  })
})
