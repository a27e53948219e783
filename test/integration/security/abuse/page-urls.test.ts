import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('the page that a visitor claims to be on', (database) => {
  const product = useProduct(database)

  test('is never an address that runs code in an operator’s browser', async () => {
    const workspace = await addWorkspace(product)
    const token = await addVisitor(product, workspace)
    const tenant = { tenant_id: workspace.tenantId }
    for (const page_url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', '//x', '']) {
      const message = { ...tenant, message: 'Hi', page_url }
      const sent = await product.call('/api/v1/chatbot/message', { token, body: message })
      const opened = await product.call('/api/v1/chatbot/sessions', {
        token,
        body: { ...tenant, page_url },
      })
      expect([page_url, sent.status, opened.status]).toEqual([page_url, 422, 422])
    }
    const body = { ...tenant, page_url: 'https://shop.example/kargo?a=1#top' }
    expect((await product.call('/api/v1/chatbot/sessions', { token, body })).status).toBe(201)
  })
})
