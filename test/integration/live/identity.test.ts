import { SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import type { Identity, Turn } from '../../../server/chat/schema.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('who a visitor is', (database) => {
  let shop: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    shop = await addWorkspace(product)
  })

  const secretPath = () => `/api/v1/tenants/${shop.tenantId}/identity-secret`

  async function sign(
    claims: Record<string, unknown>,
    { secret, end = '5m' }: { secret?: string; end?: string | number } = {},
  ): Promise<string> {
    const { body } = await product.call<{ identity_secret: string }>(secretPath(), {
      token: shop.token,
    })
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(end)
      .sign(new TextEncoder().encode(secret ?? body.identity_secret))
  }

  const identify = (token: string, body: object) =>
    product.call<Identity>('/api/v1/chatbot/identify', { token, body })

  test('is verified by a token of the site’s server, and shown apart in the inbox', async () => {
    const visitor = await addVisitor(product, shop)
    const said = await identify(visitor, { name: 'Ayşe', email: 'ayse@example.com' })
    expect(said.body).toMatchObject({ name: 'Ayşe', subject: null, is_verified: false })

    const token = await sign({ sub: 'customer-7', name: 'Ayşe Yılmaz' })
    const { body } = await identify(visitor, { token })
    expect(body).toMatchObject({ name: 'Ayşe Yılmaz', subject: 'customer-7', is_verified: true })
    // An unsigned identity of the page does not replace it.
    await identify(visitor, { name: 'Somebody else' })

    const turn = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: shop.tenantId, message: 'Hello' },
    })
    const place = `/api/v1/inbox/${turn.body.session_id}`
    const shown = await product.call<{ identity: Identity }>(place, { token: shop.token })
    expect(shown.body.identity).toMatchObject({ name: 'Ayşe Yılmaz', is_verified: true })

    await product.call(`/api/v1/chatbot/sessions/${turn.body.session_id}`, {
      method: 'DELETE',
      token: visitor,
    })
    const kept = await product.ctx.db.selectFrom('identities').selectAll().execute()
    expect(kept).toEqual([])
  })

  test.each([
    ['another secret', () => sign({ sub: 'a' }, { secret: 'another secret '.repeat(3) })],
    ['no subject', () => sign({ name: 'Ayşe' })],
    ['an end that is past', () => sign({ sub: 'a' }, { end: 1 })],
    ['no signature', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
  ])('is refused with a token of %s', async (_what, make) => {
    const visitor = await addVisitor(product, shop)
    const answer = await identify(visitor, { token: await make() })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('/token')
  })

  test('is not known by a token that was signed before the secret was replaced', async () => {
    const visitor = await addVisitor(product, shop)
    const token = await sign({ sub: 'customer-7' })
    await product.call(`${secretPath()}/rotate`, { method: 'POST', token: shop.token })
    expect((await identify(visitor, { token })).status).toBe(422)
    expect((await product.call(secretPath(), { token: visitor })).status).toBe(403)
  })

  test('is for visitors to say: a member is told what that takes', async () => {
    const { status, body } = await identify(shop.token, { name: 'Owner' })
    expect([status, body]).toMatchObject([403, { detail: 'This needs a visitor token.' }])
  })
})
