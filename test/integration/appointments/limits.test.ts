import { beforeAll, expect, test } from 'vitest'
import type { Slots } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'

describeOnDatabase('somebody who books and books', (database) => {
  let workspace: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
  })

  /** Books the first free time in a conversation of its own. */
  async function book(token: string, email?: string): Promise<number> {
    const session = await product.call<Session>('/api/v1/chatbot/sessions', {
      token,
      body: { tenant_id: workspace.tenantId },
    })
    const path = `/api/v1/chatbot/sessions/${session.body.session_id}`
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const body = { name: 'Ayşe', start: slots.body.data[0]?.start, ...(email ? { email } : {}) }
    return (await product.call(`${path}/appointment`, { token, body })).status
  }

  test('leaves times to others, however many conversations they begin', async () => {
    const token = await addVisitor(product, workspace)
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push(await book(token))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409])
  })

  test('floods nobody with mail, no matter which address they enter', async () => {
    const recipient = 'victim@example.com'
    for (let count = 0; count < 12; count += 1) {
      expect(await book(await addVisitor(product, workspace), recipient)).toBe(201)
    }
    const mails = await product.ctx.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', recipient)
      .execute()
    expect(mails).toHaveLength(6)
  })
})
