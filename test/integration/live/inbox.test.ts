import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type {
  CannedReply,
  Conversation,
  InboxMessage,
  InboxSession,
  RatedAnswer,
} from '../../../server/inbox/schema.ts'
import type { Page, Problem } from '../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type LiveReader, openLive } from '../../helpers/live.ts'
import { addMember } from '../../helpers/members.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

type Person = Awaited<ReturnType<typeof addMember>>

describeOnBothDatabases('the inbox', (database) => {
  let own: TestWorkspace
  let visitor: string
  let ayse: Person
  let banu: Person
  const readers: LiveReader[] = []

  afterAll(async () => {
    for (const reader of readers) reader.close()
  })
  const product = useProduct(database)
  beforeAll(async () => {
    own = await addWorkspace(product, { tenant: { locale: 'en' } })
    visitor = await addVisitor(product, own)
    ayse = await addMember(product, own, { name: 'Ayşe' })
    banu = await addMember(product, own, { name: 'Banu' })
  })

  async function read(path: string, token: string): Promise<LiveReader> {
    const reader = await openLive(product.url, path, { token })
    readers.push(reader)
    return reader
  }
  async function say(message: string, sessionId?: string) {
    const answer = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: {
        tenant_id: own.tenantId,
        message,
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
      },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const post = <Body = InboxSession & Problem>(
    token: string,
    sessionId: string,
    what: string,
    body?: unknown,
  ) => product.call<Body>(`/api/v1/inbox/${sessionId}/${what}`, { method: 'POST', token, body })
  const open = async (sessionId: string, query = '') =>
    (await product.call<Conversation>(`/api/v1/inbox/${sessionId}${query}`, { token: ayse.token }))
      .body
  const list = async (query = '', token = ayse.token) =>
    (await product.call<Page<InboxSession & Problem>>(`/api/v1/inbox?limit=100${query}`, { token }))
      .body.data
  const liveOf = (sessionId: string) => `/api/v1/chatbot/sessions/${sessionId}/live`

  test('an operator takes over, talks with the visitor live and gives back', async () => {
    const { session_id } = await say('Hello')
    const [theirs, ours] = await Promise.all([
      read(liveOf(session_id), visitor),
      read('/api/v1/live', banu.token),
    ])
    await theirs.waitFor(({ name }) => name === 'state')
    await ours.waitFor(({ name }) => name === 'ready')

    const claimed = await post(ayse.token, session_id, 'claim')
    expect([claimed.status, claimed.body]).toMatchObject([
      200,
      { state: 'operator', assignee: { user_id: ayse.id, name: 'Ayşe' } },
    ])
    const joined = await theirs.waitFor(({ data }) => data.state === 'operator')
    expect(joined.data).toEqual({
      session_id,
      state: 'operator',
      operator: { name: 'Ayşe', picture_url: null },
    })
    await theirs.waitFor(({ data }) => data.content === 'Ayşe joined the conversation.')
    const told = await ours.waitFor(({ data }) => data.state === 'operator')
    expect(told.data).toMatchObject({ reason: 'claimed', assignee: { user_id: ayse.id } })

    await post(ayse.token, session_id, 'typing')
    const typing = await theirs.waitFor(({ name }) => name === 'typing')
    expect(typing).toMatchObject({
      id: undefined,
      data: { session_id, role: 'operator', is_typing: true, name: 'Ayşe' },
    })

    const written = await post<{ message_id: string; author: { name: string } }>(
      ayse.token,
      session_id,
      'messages',
      { text: 'How can I help?' },
    )
    expect([written.status, written.body.author.name]).toEqual([201, 'Ayşe'])
    const message = await theirs.waitFor(({ data }) => data.content === 'How can I help?')
    expect(message.data).toMatchObject({ role: 'operator', message_id: written.body.message_id })
    expect(JSON.stringify(message.data)).not.toContain(ayse.id)

    await product.call(`/api/v1/chatbot/sessions/${session_id}/typing`, {
      token: visitor,
      body: { is_typing: true },
    })
    await ours.waitFor(({ name, data }) => name === 'typing' && data.role === 'visitor')
    await product.call(`/api/v1/chatbot/sessions/${session_id}/read`, {
      token: visitor,
      body: { message_id: written.body.message_id },
    })
    const seen = await ours.waitFor(
      ({ name, data }) => name === 'read' && data.reader === 'visitor',
    )
    expect(seen.data).toMatchObject({ message_id: written.body.message_id })

    const answer = await say('With my order', session_id)
    expect(answer.state).toBe('operator')
    await ours.waitFor(({ data }) => data.content === 'With my order' && data.unread === 1)
    expect((await open(session_id)).unread).toBe(1)
    expect((await post(ayse.token, session_id, 'read')).body.unread).toBe(0)
    await theirs.waitFor(({ name, data }) => name === 'read' && data.reader === 'operator')

    const released = await post(ayse.token, session_id, 'release')
    expect(released.body).toMatchObject({ state: 'bot', assignee: null })
    expect((await say('And now?', session_id)).state).toBe('bot')
    expect((await open(session_id)).read_by_visitor).toBe(written.body.message_id)
  })

  test('of fifty who claim at once one wins', async () => {
    const { session_id } = await say('Hello')
    const people: Person[] = []
    // One after the other: so many passwords at once are refused.
    while (people.length < 50) people.push(await addMember(product, own))
    const claims = await Promise.all(people.map(({ token }) => post(token, session_id, 'claim')))
    expect(claims.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(claims.filter(({ status }) => status === 409)).toHaveLength(49)
    const winner = people[claims.findIndex(({ status }) => status === 200)]
    expect((await open(session_id)).assignee?.user_id).toBe(winner?.id)
    const again = await post(winner?.token ?? '', session_id, 'claim')
    expect(again.status).toBe(200)
    const joined = (await open(session_id)).messages.data.filter(({ role }) => role === 'system')
    expect(joined).toHaveLength(1)
  })

  test('what one has, another cannot answer or give away, but an owner can', async () => {
    const { session_id } = await say('Hello')
    await post(ayse.token, session_id, 'messages', { text: 'Mine by answering' })
    expect((await open(session_id)).assignee?.name).toBe('Ayşe')
    const refused = await Promise.all([
      post(banu.token, session_id, 'claim'),
      post(banu.token, session_id, 'messages', { text: 'No, mine' }),
      post(banu.token, session_id, 'release'),
      post(banu.token, session_id, 'close'),
    ])
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409])
    expect(refused[0]?.body.detail).toContain('Ayşe')
    const freed = await post(own.token, session_id, 'release', { to: 'waiting' })
    expect(freed.body).toMatchObject({ state: 'waiting', assignee: null })
    expect((await post(banu.token, session_id, 'claim')).status).toBe(200)
  })

  test('a reply that is repeated under its request id is sent once', async () => {
    const { session_id: id } = await say('Do you have gift wrapping?')
    const send = () =>
      product.call<InboxMessage>(`/api/v1/inbox/${id}/messages`, {
        token: ayse.token,
        body: { text: 'Yes, for free.' },
        headers: { 'x-request-id': 'reply-of-ayse-1' },
      })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const { messages } = await open(id)
    expect(messages.data.filter(({ role }) => role === 'operator')).toHaveLength(1)
  })

  test('a closed conversation takes nothing more until it goes on', async () => {
    const { session_id } = await say('Hello')
    expect((await post(ayse.token, session_id, 'close')).body.state).toBe('closed')
    const closed = await product.call('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: own.tenantId, message: 'Hello?', session_id },
    })
    expect(closed.status).toBe(409)
    expect((await post(ayse.token, session_id, 'claim')).status).toBe(409)
    expect((await post(ayse.token, session_id, 'messages', { text: 'x' })).status).toBe(409)
    expect((await post(ayse.token, session_id, 'release')).body.state).toBe('bot')
    expect((await say('Hello again', session_id)).state).toBe('bot')
  })

  test('notes are for operators alone', async () => {
    const { session_id } = await say('Hello')
    const [theirs, ours] = await Promise.all([
      read(liveOf(session_id), visitor),
      read('/api/v1/live', banu.token),
    ])
    await ours.waitFor(({ name }) => name === 'ready')
    const noted = await post(ayse.token, session_id, 'notes', { text: 'A difficult customer' })
    expect(noted.status).toBe(201)
    const told = await ours.waitFor(({ name }) => name === 'note')
    expect(told.data).toMatchObject({ text: 'A difficult customer', author: { name: 'Ayşe' } })
    await say('Still there?', session_id)
    await theirs.waitFor(({ data }) => data.content === 'Still there?')
    const seen = await Promise.all(
      ['messages', 'export'].map((what) =>
        product.call(`/api/v1/chatbot/sessions/${session_id}/${what}`, { token: visitor }),
      ),
    )
    const all = [...seen.map(({ text }) => text), JSON.stringify(theirs.events)].join()
    expect(all).not.toContain('difficult')
    expect((await open(session_id)).notes).toMatchObject([{ text: 'A difficult customer' }])
  })

  test('lists by state, assignee, tenant and unread, the latest first', async () => {
    const first = await say('One')
    const second = await say('Two')
    await post(ayse.token, first.session_id, 'claim')
    await post(ayse.token, second.session_id, 'read')
    const of = (rows: (InboxSession & Problem)[]) => rows.map(({ session_id }) => session_id)
    const mine = await list('&assignee=me&state=operator')
    expect(of(mine)).toContain(first.session_id)
    expect(mine.every(({ assignee }) => assignee?.user_id === ayse.id)).toBe(true)
    expect(of(await list('&assignee=none'))).not.toContain(first.session_id)
    expect(of(await list(`&assignee=${ayse.id}`))).toContain(first.session_id)
    expect(of(await list('&unread=true'))).toContain(first.session_id)
    expect(of(await list('&unread=false'))).toContain(second.session_id)
    expect(of(await list('&unread=true'))).not.toContain(second.session_id)
    expect(await list('&tenant_id=some-other')).toEqual([])
    const [latest] = await list()
    expect(latest?.session_id).toBe(first.session_id)
    expect((await product.call('/api/v1/inbox?assignee=you', { token: ayse.token })).status).toBe(
      422,
    )
  })

  test('shows the newest messages first and pages to older ones', async () => {
    const { session_id } = await say('One')
    await say('Two', session_id)
    const newest = await open(session_id, '?limit=2')
    expect(newest.messages.data).toHaveLength(2)
    expect(newest.messages.data[0]?.content).toBe('Two')
    const older = await open(session_id, `?limit=2&cursor=${newest.messages.next_cursor}`)
    expect(older.messages.data[0]?.content).toBe('One')
    expect(older.messages.next_cursor).toBeNull()
  })

  test('keeps texts at hand', async () => {
    const made = await product.call<CannedReply>('/api/v1/canned-replies', {
      token: ayse.token,
      body: { title: 'Greeting', text: 'Hello there!' },
    })
    expect(made.status).toBe(201)
    const path = `/api/v1/canned-replies/${made.body.canned_reply_id}`
    const changed = await product.call(path, {
      method: 'PATCH',
      token: banu.token,
      body: { text: 'Hello!' },
    })
    expect(changed.body).toMatchObject({ title: 'Greeting', text: 'Hello!' })
    const all = await product.call<Page<object>>('/api/v1/canned-replies', {
      token: banu.token,
    })
    expect(all.body.data).toHaveLength(1)
    const wrong = { title: '', text: 'x', more: 1 }
    const refused = await product.call('/api/v1/canned-replies', { token: ayse.token, body: wrong })
    expect(refused.status).toBe(422)
    expect((await product.call(path, { method: 'DELETE', token: ayse.token })).status).toBe(204)
    expect((await product.call(path, { token: ayse.token })).status).toBe(404)
  })

  test('answers that visitors rated down are listed with their question until attended to', async () => {
    const turn = await say('Is the vase dishwasher-safe?')
    const rate = (body: object) =>
      product.call(`/api/v1/chatbot/sessions/${turn.session_id}/feedback`, { token: visitor, body })
    const messageId = turn.reply?.message_id ?? ''
    await rate({ message_id: messageId, rating: 'down', comment: 'wrong' })
    const path = `/api/v1/tenants/${own.tenantId}/feedback`
    const rated = async (query = '?rating=down') =>
      (await product.call<Page<RatedAnswer>>(path + query, ayse)).body.data
    expect(await rated()).toEqual([
      {
        message_id: messageId,
        session_id: turn.session_id,
        rating: 1,
        question: 'Is the vase dishwasher-safe?',
        answer: turn.reply?.content,
        citations: turn.reply?.citations,
        comment: 'wrong',
        created_at: expect.any(String),
      },
    ])
    expect(await rated('?rating=up')).toEqual([])
    const remove = (id: string, token = ayse.token) =>
      product.call(`${path}/${id}`, { method: 'DELETE', token })
    expect((await remove('msg_unknown')).status).toBe(404)
    const other = await addWorkspace(product)
    expect((await remove(messageId, other.token)).status).toBe(403)
    expect((await remove(messageId)).status).toBe(204)
    expect(await rated()).toEqual([])
    // A new rating is a new matter.
    await rate({ message_id: messageId, rating: 'down' })
    expect(await rated()).toHaveLength(1)
  })
})
