import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Feedback, Turn } from '../../../server/chat/schema.ts'
import type { SessionExport } from '../../../server/inbox/schema.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type LiveReader, openLive } from '../../helpers/live.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('what a visitor may do with a conversation', (database) => {
  let own: TestWorkspace
  let visitor: string
  const readers: LiveReader[] = []

  afterAll(async () => {
    for (const reader of readers) reader.close()
  })
  const product = useProduct(database)
  beforeAll(async () => {
    own = await addWorkspace(product, { tenant: { locale: 'en' } })
    visitor = await addVisitor(product, own)
  })

  async function read(path: string, token: string): Promise<LiveReader> {
    const reader = await openLive(product.url, path, { token })
    readers.push(reader)
    return reader
  }
  async function say(message: string) {
    const answer = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: own.tenantId, message },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  test('visitors rate, and take their conversation away or have it erased', async () => {
    const operator = await addMember(product, own)
    const turn = await say('Hello')
    const base = `/api/v1/chatbot/sessions/${turn.session_id}`
    const rate = (body: unknown) =>
      product.call<Feedback>(`${base}/feedback`, { token: visitor, body })
    expect((await rate({ rating: 'up', message_id: turn.message_id })).body.rating).toBe(5)
    expect((await rate({ rating: 4 })).status).toBe(201)
    expect((await rate({ rating: 2, comment: 'Meh' })).status).toBe(200)
    expect((await rate({ rating: 6 })).status).toBe(422)
    expect((await rate({ rating: 3, message_id: 'msg_0000000000000000000000' })).status).toBe(404)
    const exported = await product.call<SessionExport>(`${base}/export`, { token: visitor })
    expect(exported.body.messages).toHaveLength(2)
    expect(exported.body.feedback.map(({ rating }) => rating)).toEqual(
      expect.arrayContaining([2, 5]),
    )

    const [ours, theirs] = await Promise.all([
      read('/api/v1/live', own.token),
      read(`${base}/live`, visitor),
    ])
    await ours.waitFor(({ name }) => name === 'ready')
    await theirs.waitFor(({ name }) => name === 'state')
    expect((await product.call(base, { method: 'DELETE', token: operator.token })).status).toBe(403)
    expect((await product.call(base, { method: 'DELETE', token: visitor })).status).toBe(204)
    const removed = await ours.waitFor(({ name }) => name === 'removed')
    expect(removed.data).toEqual({ session_id: turn.session_id, tenant_id: own.tenantId })
    await theirs.waitFor(({ name }) => name === 'reconnect')
    expect((await theirs.ended).clean).toBe(true)
    expect((await product.call(`${base}/messages`, { token: visitor })).status).toBe(404)
    expect((await product.call('/api/v1/inbox', { token: own.token })).text).not.toContain(
      turn.session_id,
    )
  })

  test('a conversation is mailed to its visitor', async () => {
    const { session_id } = await say('Hello')
    const send = (email: string) =>
      product.call(`/api/v1/chatbot/sessions/${session_id}/transcript`, {
        token: visitor,
        body: { email },
      })
    expect((await send('a@example.com')).status).toBe(202)
    expect((await send('no address')).status).toBe(422)
    const mails = await product.call(`${product.devPath}/mail`)
    expect(mails.text).toContain('Your conversation with Site')
  })
})
