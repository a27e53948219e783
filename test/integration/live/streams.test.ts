import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryMessage, Turn } from '../../../server/chat/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type LiveReader, type SeenEvent, openLive } from '../../helpers/live.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

const isMessage = (event: SeenEvent) => event.name === 'message'
const says = (text: string) => (event: SeenEvent) =>
  event.name === 'message' && event.data.content === text

describeOnBothDatabases('live streams', (database) => {
  let own: TestWorkspace
  let visitor: string
  const readers: LiveReader[] = []

  afterAll(async () => {
    for (const reader of readers) reader.close()
  })
  const product = useProduct(database)
  beforeAll(async () => {
    own = await addWorkspace(product)
    visitor = await addVisitor(product, own)
  })

  async function read(path: string, options: Parameters<typeof openLive>[2]): Promise<LiveReader> {
    const reader = await openLive(product.url, path, options)
    readers.push(reader)
    return reader
  }

  async function say(message: string, session_id?: string): Promise<Turn> {
    const answer = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: own.tenantId, message, ...(session_id ? { session_id } : {}) },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  const liveOf = (sessionId: string) => `/api/v1/chatbot/sessions/${sessionId}/live`

  test("a session's stream begins with its state and goes on with every message", async () => {
    const first = await say('Hello')
    const reader = await read(liveOf(first.session_id), { token: visitor })
    expect(reader.status).toBe(200)
    expect(reader.headers.get('content-type')).toBe('text/event-stream')
    const state = await reader.waitFor(({ name }) => name === 'state')
    expect(state.data).toEqual({ session_id: first.session_id, state: 'bot', operator: null })
    const second = await say('Are you open?', first.session_id)
    await reader.waitFor(({ data }) => data.message_id === second.reply?.message_id)
    const messages = reader.events.filter(isMessage)
    expect(messages.map(({ data }) => data)).toEqual([
      {
        message_id: second.message_id,
        session_id: first.session_id,
        role: 'visitor',
        content: 'Are you open?',
        citations: [],
        created_at: expect.stringMatching(/Z$/),
        quick_replies: [],
        form: null,
        attachments: [],
      },
      expect.objectContaining({ role: 'assistant', content: second.reply?.content }),
    ])
    expect(reader.events.every(({ id }) => id !== undefined)).toBe(true)
  })

  test('a stream whose reader disconnects while it is opened is not counted as open', async () => {
    const { session_id } = await say('Hello')
    const leaveAtOnce = async () => {
      const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
      await once(socket, 'connect')
      const head = `GET ${liveOf(session_id)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${visitor}`
      socket.write(`${head}\r\n\r\n`, () => socket.destroy())
      await once(socket, 'close')
    }
    const open = () =>
      product.ctx.streams
        .counts()
        .filter(({ kind, reader }) => kind === 'live' && reader === 'visitor')
    const [before] = open()
    await Promise.all(Array.from({ length: 20 }, leaveAtOnce))
    // Answered after all requests before it.
    const reader = await read(liveOf(session_id), { token: visitor })
    await reader.waitFor(({ name }) => name === 'state')
    reader.close()
    await expect.poll(open).toEqual(before === undefined ? [] : [before])
  })

  test('who comes back with the last id gets what was missed, once and in order', async () => {
    const { session_id } = await say('Hello')
    const before = await read(liveOf(session_id), { token: visitor })
    await before.waitFor(({ name }) => name === 'state')
    await say('one', session_id)
    await before.waitFor(says('one'))
    before.close()
    await before.ended
    const known = before.events.filter(isMessage).map(({ data }) => data.message_id)
    await say('two', session_id)
    await say('three', session_id)
    const after = await read(liveOf(session_id), {
      token: visitor,
      ...(before.lastId() === undefined ? {} : { lastEventId: String(before.lastId()) }),
    })
    const last = await say('four', session_id)
    await after.waitFor(({ data }) => data.message_id === last.reply?.message_id)
    const got = [...known, ...after.events.filter(isMessage).map(({ data }) => data.message_id)]
    const history = await product.call<Page<HistoryMessage>>(
      `/api/v1/chatbot/sessions/${session_id}/messages?limit=100`,
      { token: visitor },
    )
    expect(got).toEqual(history.body.data.slice(2).map(({ message_id }) => message_id))
    expect(after.events.map(({ name }) => name)).not.toContain('state')
  })

  test('from the id 0 the whole conversation is told again', async () => {
    const { session_id } = await say('Hello')
    await say('More', session_id)
    const reader = await read(liveOf(session_id), { token: visitor, lastEventId: '0' })
    await reader.waitFor(says('More'))
    expect(reader.events.filter(isMessage).length).toBeGreaterThanOrEqual(3)
    const byQuery = await read(`${liveOf(session_id)}?last_event_id=0`, { token: visitor })
    await byQuery.waitFor(says('Hello'))
  })

  test('operators see new sessions and messages of their workspace alone', async () => {
    const stranger = await addWorkspace(product)
    const theirs = await read('/api/v1/live', { token: stranger.token })
    const ours = await read('/api/v1/live', { token: own.token })
    await ours.waitFor(({ name }) => name === 'ready')
    await theirs.waitFor(({ name }) => name === 'ready')
    const { session_id } = await say('Anybody there?')
    const began = await ours.waitFor(({ name }) => name === 'session')
    expect(began.data).toMatchObject({ session_id, tenant_id: own.tenantId, state: 'bot' })
    const message = await ours.waitFor(says('Anybody there?'))
    expect(message.data).toMatchObject({ tenant_id: own.tenantId, unread: 1, author: null })
    await ours.waitFor(({ data }) => data.role === 'assistant')
    await product.call('/api/v1/chatbot/message', {
      token: stranger.token,
      body: { tenant_id: stranger.tenantId, message: 'Their own' },
    })
    await theirs.waitFor(says('Their own'))
    expect(JSON.stringify(theirs.events)).not.toContain(session_id)
  })

  describe('refuse', () => {
    test('another visitor, another workspace and a session that is not there', async () => {
      const { session_id } = await say('Hello')
      const stranger = await addWorkspace(product)
      const other = await addVisitor(product, own)
      const seen = await Promise.all([
        read(liveOf(session_id), { token: other }),
        read(liveOf(session_id), { token: stranger.token }),
        read(liveOf('ses_0000000000000000000000'), { token: visitor }),
        read(liveOf(session_id), {}),
        read('/api/v1/live', { token: visitor }),
      ])
      expect(seen.map(({ status }) => status)).toEqual([404, 403, 404, 401, 403])
    })
  })
})
