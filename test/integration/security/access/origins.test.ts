import { beforeAll, expect, test } from 'vitest'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const ALLOWED = 'https://shop.example'

describeOnDatabase('a page of another origin', (database) => {
  let listed: TestWorkspace
  let open: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    open = await addWorkspace(product)
    listed = await addWorkspace(product, { tenant: { allowed_origins: [ALLOWED] } })
  })

  const configOf = (workspace: TestWorkspace, origin: string) =>
    product.call<Partial<Problem>>(`/api/v1/widget/${workspace.tenantId}/config`, {
      headers: { origin },
    })

  test('reads the configuration of a site that lists it', async () => {
    const answer = await configOf(listed, ALLOWED)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED)
    expect(answer.headers.get('vary')).toMatch(/origin/i)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each([
    'https://evil.example',
    'https://shop.example.evil.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example/',
    'null',
  ])('does not read it as %s, which is not on the list', async (origin) => {
    const answer = await configOf(listed, origin)
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed'])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('reads it from anywhere when the site has no list', async () => {
    const answer = await configOf(open, 'https://anywhere.example')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://anywhere.example')
  })

  test('is no reason to break down when it has no name', async () => {
    expect((await configOf(open, '')).status).toBe(200)
    const token = await addVisitor(product, open)
    const sent = await product.call('/api/v1/chatbot/message', {
      token,
      headers: { origin: '' },
      body: { tenant_id: open.tenantId, message: 'Hello?' },
    })
    expect(sent.status, sent.text).toBe(200)
    const refused = await product.call('/api/v1/auth/visitor', {
      headers: { origin: '' },
      body: { tenant_id: listed.tenantId },
    })
    expect(refused.status).toBe(403)
  })
})
