import { expect, test } from 'vitest'
import type { Turn } from '../../../../server/chat/schema.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a site that is switched off', (database) => {
  const product = useProduct(database)

  test('answers its visitors nothing, and still lets them erase what they wrote', async () => {
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const turn = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Hello' },
    })
    await product.call(`/api/v1/tenants/${workspace.tenantId}`, {
      method: 'PATCH',
      token: workspace.token,
      body: { active: false },
    })
    const base = `/api/v1/chatbot/sessions/${turn.body.session_id}`
    const read = ['/api/v1/chatbot/sessions', `${base}/messages`, `${base}/live`]
    const write: [string, object][] = [
      [`${base}/typing`, {}],
      [`${base}/read`, {}],
      [`${base}/feedback`, { rating: 5 }],
      [`${base}/handoff`, {}],
      [`${base}/transcript`, { email: 'ayse@example.com' }],
    ]
    for (const path of read) {
      const { status, body } = await product.call<Problem>(path, { token: visitor })
      expect([path, status, body.code]).toEqual([path, 403, 'forbidden'])
    }
    for (const [path, body] of write) {
      const answer = await product.call<Problem>(path, { token: visitor, body })
      expect([path, answer.status]).toEqual([path, 403])
    }
    const history = await product.call(`${base}/messages`, { token: workspace.token })
    expect(history.status).toBe(200)
    expect((await product.call(base, { method: 'DELETE', token: visitor })).status).toBe(204)
  })
})
