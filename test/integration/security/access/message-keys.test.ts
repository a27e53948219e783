import { expect, test } from 'vitest'
import type { Turn } from '../../../../server/chat/schema.ts'
import type { CreatedApiKey } from '../../../helpers/answers.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'

describeOnDatabase('a key with the scope chat:message', (database) => {
  const product = useProduct(database)

  test("reads and writes its own sessions, and no visitor's", async () => {
    const workspace = await addWorkspace(product, { plan: 'enterprise' })
    const keyWith = async (scopes: string[]) =>
      (
        await product.call<CreatedApiKey>('/api/v1/api-keys', {
          token: workspace.token,
          body: { name: 'A program', scopes },
        })
      ).body.key
    const say = async (token: string, session_id?: string) =>
      product.call<Turn>('/api/v1/chatbot/message', {
        token,
        body: { tenant_id: workspace.tenantId, message: 'Hello', session_id },
      })
    const secret = (await say(await addVisitor(product, workspace))).body.session_id
    const key = await keyWith(['chat:message'])
    const own = (await say(key)).body.session_id
    const read = async (token: string, id: string) =>
      (await product.call(`/api/v1/chatbot/sessions/${id}/messages`, { token })).status
    expect(await read(key, own)).toBe(200)
    expect(await read(key, secret)).toBe(404)
    expect((await say(key, secret)).status).toBe(404)
    const live = `/api/v1/chatbot/sessions/${secret}/live`
    expect((await product.call(live, { token: key })).status).toBe(404)
    expect(await read(await keyWith(['chat:message', 'chat:manage']), secret)).toBe(200)
    expect(await read(workspace.token, secret)).toBe(200)
  })
})
