import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { HistoryMessage, Identity, Session, Turn } from '../../../../server/chat/schema.ts'
import type { Page, Problem } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnBothDatabases('who signs in where somebody else was', (database) => {
  const product = useProduct(database)
  let shop: TestWorkspace
  let secret: Uint8Array
  beforeAll(async () => {
    shop = await addWorkspace(product)
    const path = `/api/v1/tenants/${shop.tenantId}/identity-secret`
    const { token } = shop
    const { body } = await product.call<{ identity_secret: string }>(path, { token })
    secret = new TextEncoder().encode(body.identity_secret)
  })

  const sign = (claims: Record<string, string>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('5m').sign(secret)
  const identify = (token: string, body: object) =>
    product.call<Identity & Problem>('/api/v1/chatbot/identify', { token, body })

  test('gets nothing of the other: a new visitor is needed first', async () => {
    const first = await addVisitor(product, shop)
    const ayse = { token: await sign({ sub: 'ayse', email: 'ayse@example.com' }) }
    const fatma = { token: await sign({ sub: 'fatma' }) }
    expect((await identify(first, ayse)).status).toBe(200)
    const turn = await product.call<Turn>('/api/v1/chatbot/message', {
      token: first,
      body: { tenant_id: shop.tenantId, message: 'My order is 4711' },
    })
    const refused = await identify(first, fatma)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.text).not.toContain('ayse')
    // The same person again is no other.
    const again = { token: await sign({ sub: 'ayse', name: 'Ayşe' }) }
    expect((await identify(first, again)).body).toMatchObject({ name: 'Ayşe', subject: 'ayse' })

    const second = await addVisitor(product, shop)
    expect((await identify(second, fatma)).body).toMatchObject({ subject: 'fatma', email: null })
    const sessions = await product.call<Page<Session>>('/api/v1/chatbot/sessions', {
      token: second,
    })
    expect(sessions.body.data).toEqual([])
    const history = `/api/v1/chatbot/sessions/${turn.body.session_id}/messages`
    const read = await product.call<Page<HistoryMessage>>(history, { token: second })
    expect(read.status).toBe(404)
  })

  test('is one of two who sign in at once: the other is refused', async () => {
    const visitor = await addVisitor(product, shop)
    const people = ['a', 'b', 'c', 'd'].map(async (sub) => ({ token: await sign({ sub }) }))
    const answers = await Promise.all(
      (await Promise.all(people)).map((body) => identify(visitor, body)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409])
  })

  test('is not given the words of a page as if they were signed', async () => {
    const visitor = await addVisitor(product, shop)
    const token = await sign({ sub: 'ayse' })
    const { body } = await identify(visitor, { token, name: 'Owner', email: 'boss@example.com' })
    expect(body).toMatchObject({ is_verified: true, name: null, email: null, phone: null })
  })
})
