import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestProduct,
  becomeVisitor,
  openTestWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'

const ROUNDS = 8
const MESSAGES = 24

describeOnBothDatabases('a site that is removed while people write', (database) => {
  let product: TestProduct

  beforeAll(async () => {
    product = await startTestProduct(await database.create())
  })
  afterAll(() => product.stop())

  test('answers or is not found, and only what was answered is paid', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, token, tenantId } = await openTestWorkspace(product, { credits: 100 })
      const visitor = await becomeVisitor(product, { id, token, tenantId, email: '' })
      const asking = Array.from({ length: MESSAGES }, (_, at) =>
        product.call<{ code?: string }>('/api/v1/chatbot/message', {
          token: visitor,
          body: { tenant_id: tenantId, message: `Question ${at}`, stream: false },
        }),
      )
      const removed = await product.call(`/api/v1/tenants/${tenantId}`, { method: 'DELETE', token })
      expect(removed.status).toBe(204)
      const answers = await Promise.all(asking)
      for (const { status, body } of answers) seen.add(`${status} ${body.code ?? ''}`)
      const answered = answers.filter(({ status }) => status === 200).length
      const workspace = await product.call<{ credits: { remaining: number; held: number } }>(
        `/api/v1/operator/workspaces/${id}`,
        { token: OPERATOR_TOKEN },
      )
      expect(workspace.body.credits).toMatchObject({ remaining: 100 - answered, held: 0 })
    }
    expect(['200 ', '404 not_found']).toEqual(expect.arrayContaining([...seen]))
  })
})
