import { expect, test } from 'vitest'
import type { Problem, Workspace } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { OPERATOR_TOKEN, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

const ROUNDS = 8
const MESSAGES = 24

describeOnBothDatabases('a site that is removed while people write', (database) => {
  const product = useProduct(database)

  test('answers or is not found, and only what was answered is paid', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, token, tenantId } = await addWorkspace(product, { credits: 100 })
      const visitor = await addVisitor(product, { id, token, tenantId, email: '' })
      const asking = Array.from({ length: MESSAGES }, (_, at) =>
        product.call<Partial<Problem>>('/api/v1/chatbot/message', {
          token: visitor,
          body: { tenant_id: tenantId, message: `Question ${at}`, stream: false },
        }),
      )
      const removed = await product.call(`/api/v1/tenants/${tenantId}`, { method: 'DELETE', token })
      expect(removed.status).toBe(204)
      const answers = await Promise.all(asking)
      for (const { status, body } of answers) seen.add(`${status} ${body.code ?? ''}`)
      const answered = answers.filter(({ status }) => status === 200).length
      const workspace = await product.call<Workspace>(`/api/v1/operator/workspaces/${id}`, {
        token: OPERATOR_TOKEN,
      })
      expect(workspace.body.credits).toMatchObject({ remaining: 100 - answered, held: 0 })
    }
    expect(['200 ', '404 not_found']).toEqual(expect.arrayContaining([...seen]))
  })
})
