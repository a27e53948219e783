import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a visitor whose message cannot be paid for', (database) => {
  const product = useProduct(database)

  test.each([
    ['workspace', { credits: 0 }],
    ['site', { tenant: { daily_credit_cap: 0.25 } }],
  ])("learns neither the balance of the %s nor the answer's price", async (_of, options) => {
    const workspace = await addWorkspace(product, options)
    const visitor = await addVisitor(product, workspace)
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const refused = await product.call<Record<string, unknown>>('/api/v1/chatbot/message', {
      token: visitor,
      body,
    })
    expect(refused.status).toBe(402)
    const { session_id, detail } = refused.body
    expect(session_id).toEqual(expect.any(String))
    expect(detail).not.toMatch(/\d/)
    for (const field of ['required', 'remaining', 'daily_credit_cap']) {
      expect(refused.body).not.toHaveProperty(field)
    }
    const owner = await product.call<Record<string, unknown>>('/api/v1/chatbot/message', {
      token: workspace.token,
      body,
    })
    expect(owner.body).toHaveProperty('remaining')
  })
})
