import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type {
  Conversation,
  Draft,
  InboxCounts,
  InboxSession,
  InboxTag,
} from '../../../server/inbox/schema.ts'
import { wakeSessions } from '../../../server/inbox/triage.ts'
import type { CreditsAnswer, Page, Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type LiveReader, openLive } from '../../helpers/live.ts'
import { addMember } from '../../helpers/members.ts'
import { readDocument } from '../../helpers/knowledge.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

type Person = Awaited<ReturnType<typeof addMember>>

describeOnBothDatabases('sorting the inbox', (database) => {
  const clock = new TestClock(Date.UTC(2027, 3, 5, 9))
  const product = useProduct(database, { clock })
  let own: TestWorkspace
  let visitor: string
  let ayse: Person
  let banu: Person
  let live: LiveReader

  beforeAll(async () => {
    own = await addWorkspace(product, { tenant: { locale: 'tr' } })
    visitor = await addVisitor(product, own)
    ayse = await addMember(product, own, { name: 'Ayşe' })
    banu = await addMember(product, own, { name: 'Banu' })
    live = await openLive(product.url, '/api/v1/live', { token: banu.token })
    await live.waitFor(({ name }) => name === 'ready')
  })
  afterAll(() => live.close())

  async function say(message: string, sessionId?: string): Promise<string> {
    clock.move(1_000)
    const answer = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: {
        tenant_id: own.tenantId,
        message,
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
      },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.session_id
  }
  const list = (query: string, token = ayse.token) =>
    product.call<Page<InboxSession>>(`/api/v1/inbox?${query}`, { token })
  const idsOf = async (query: string, token = ayse.token) =>
    (await list(query, token)).body.data.map(({ session_id }) => session_id)
  const patch = (sessionId: string, body: unknown, token = ayse.token) =>
    product.call<InboxSession & Problem>(`/api/v1/inbox/${sessionId}`, {
      method: 'PATCH',
      token,
      body,
    })
  const assign = (sessionId: string, userId: string | null, token = ayse.token) =>
    product.call<InboxSession & Problem>(`/api/v1/inbox/${sessionId}/assign`, {
      token,
      body: { user_id: userId },
    })
  const counts = async (token = ayse.token) =>
    (await product.call<InboxCounts>('/api/v1/inbox/counts', { token })).body

  test('a search finds messages and contacts whatever their case and accents', async () => {
    const ses = await say('IŞIKLI kapı ne kadar? 100% emin misiniz')
    const other = await say('Something else')
    const form = { name: 'İbrahim Çağlar', phone: '+905321234567', email: 'ibo@example.com' }
    await product.call(`/api/v1/chatbot/sessions/${other}/lead`, { token: visitor, body: form })
    for (const text of ['isikli KAPI', 'ışıklı', '100% emin']) {
      expect(await idsOf(`q=${encodeURIComponent(text)}`), text).toEqual([ses])
    }
    for (const text of ['ibrahim caglar', 'IBO@example', '0532 123 45']) {
      expect(await idsOf(`q=${encodeURIComponent(text)}`), text).toEqual([other])
    }
    expect(await idsOf('q=10__emin')).toEqual([])
    expect((await list('q=a')).status).toBe(422)
    const [row] = (await list('q=ibrahim')).body.data
    expect(row?.visitor).toMatchObject({ name: 'İbrahim Çağlar', phone: '+905321234567' })
    const stranger = await addWorkspace(product)
    expect(await idsOf('q=isikli', stranger.token)).toEqual([])
    const first = await list('q=visitor&limit=1')
    expect(first.body.next_cursor).toBeNull()
  })

  test('a search goes on where its page ended', async () => {
    const all: string[] = []
    for (let at = 0; at < 3; at += 1) all.push(await say(`Sayfalı arama ${at}`))
    const one = await list('q=sayfali&limit=2')
    const two = await list(`q=sayfali&limit=2&cursor=${one.body.next_cursor}`)
    const found = [...one.body.data, ...two.body.data].map(({ session_id }) => session_id)
    expect([found, two.body.next_cursor]).toEqual([all.toReversed(), null])
  })

  test('tags filter, and other operators see them at once', async () => {
    const ses = await say('Merhaba')
    const tagged = await patch(ses, { tags: ['VIP', 'iade', 'VIP'] })
    expect([tagged.status, tagged.body.tags]).toEqual([200, ['VIP', 'iade']])
    const seen = await live.waitFor(({ name, data }) => name === 'inbox' && data.session_id === ses)
    expect(seen.data).toMatchObject({ tags: ['VIP', 'iade'], snoozed_until: null })
    expect(await idsOf('tag=VIP')).toEqual([ses])
    const tags = await product.call<Page<InboxTag>>('/api/v1/inbox/tags', { token: banu.token })
    expect(tags.body.data).toContainEqual({ tag: 'VIP', count: 1 })
    expect((await patch(ses, { tags: [] })).body.tags).toEqual([])
    expect(await idsOf('tag=VIP')).toEqual([])
    const refused = await Promise.all([
      patch(ses, { tags: ['x'.repeat(31)] }),
      patch(ses, { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([422, 422])
  })

  test('a snoozed conversation comes back in time, or when the visitor writes', async () => {
    const ses = await say('Yarın yazın')
    const before = await counts()
    const until = new Date(clock.now() + 300_000).toISOString()
    expect((await patch(ses, { snoozed_until: until })).body.snoozed_until).toBe(until)
    expect(await idsOf('')).not.toContain(ses)
    expect(await idsOf('snoozed=false')).not.toContain(ses)
    expect(await idsOf('snoozed=true')).toEqual([ses])
    expect((await counts()).open).toBe(before.open - 1)
    await say('Vazgeçtim', ses)
    expect(await idsOf('')).toContain(ses)

    await patch(ses, { snoozed_until: until })
    clock.move(300_000)
    expect(await idsOf('snoozed=false')).toContain(ses)
    await say('A later conversation')
    clock.move(1_000)
    await wakeSessions(product.ctx)
    await live.waitFor(
      ({ name, data }) =>
        name === 'inbox' && data.session_id === ses && data.snoozed_until === null,
    )
    expect((await idsOf('limit=1'))[0]).toBe(ses)
  })

  test('a conversation is assigned to a colleague and back', async () => {
    const picture = new FormData()
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    picture.set('file', new Blob([png], { type: 'image/png' }), 'me.png')
    await fetch(`${product.url}/api/v1/account/picture`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${banu.token}` },
      body: picture,
    })
    const picture_url = expect.stringMatching(/^\/api\/v1\/pictures\/pic_/)
    const ses = await say('Kim bakar?')
    const before = await counts(banu.token)
    const given = await assign(ses, banu.id)
    expect([given.status, given.body]).toMatchObject([
      200,
      { state: 'operator', assignee: { user_id: banu.id, name: 'Banu', picture_url } },
    ])
    const seen = await live.waitFor(({ name, data }) => name === 'state' && data.session_id === ses)
    expect(seen.data).toMatchObject({ reason: 'assigned', assignee: { user_id: banu.id } })
    expect((await counts(banu.token)).mine).toBe(before.mine + 1)
    expect(await idsOf('assignee=me&state=open', banu.token)).toContain(ses)
    expect((await assign(ses, banu.id)).status).toBe(200)
    expect((await assign(ses, ayse.id)).status).toBe(409)
    expect((await assign(ses, ayse.id, banu.token)).body.assignee?.user_id).toBe(ayse.id)
    expect((await assign(ses, banu.id, own.token)).body.assignee?.user_id).toBe(banu.id)
    const waits = await assign(ses, null, banu.token)
    expect([waits.body.state, waits.body.assignee]).toEqual(['waiting', null])
    expect(await idsOf('state=waiting')).toEqual([ses])
    const stranger = await addWorkspace(product)
    const outsider = await addMember(product, stranger)
    expect((await assign(ses, outsider.id)).status).toBe(403)
    expect((await assign(ses, `usr_${'A'.repeat(22)}`)).status).toBe(404)
    await product.call(`/api/v1/inbox/${ses}/close`, { method: 'POST', token: ayse.token })
    expect((await assign(ses, banu.id)).status).toBe(409)
    expect(await idsOf('state=closed')).toContain(ses)
    expect(await idsOf('state=open')).not.toContain(ses)
  })

  test('shows what the visitor said before, and the lead', async () => {
    const first = await say('İlk konuşma')
    const second = await say('İkinci konuşma')
    const { body } = await product.call<Conversation>(`/api/v1/inbox/${second}`, {
      token: ayse.token,
    })
    expect(body.earlier.find(({ session_id }) => session_id === first)).toMatchObject({
      last_message: { role: 'assistant' },
    })
    expect(body.earlier.map(({ session_id }) => session_id)).not.toContain(second)
  })

  test('a draft answers from the documents, costs a turn and sends nothing', async () => {
    const doc = await addDocument(product, own, {
      title: 'Kargo',
      content: '# Kargo\n\nKargo ücreti 49 liradır. Siparişler iki iş gününde kargoya verilir.',
    })
    await readDocument(product, own, doc)
    const ses = await say('Kargo ücreti ne kadar?')
    const credits = async () =>
      (await product.call<CreditsAnswer>('/api/v1/credits', { token: own.token })).body.remaining
    const left = await credits()
    const messages = await product.ctx.db
      .selectFrom('messages')
      .select('id')
      .where('session_id', '=', ses)
      .execute()
    const draft = await product.call<Draft>(`/api/v1/inbox/${ses}/draft`, {
      method: 'POST',
      token: ayse.token,
    })
    expect(draft.status, draft.text).toBe(200)
    expect(draft.body).toMatchObject({
      content: expect.stringContaining('49'),
      citations: [{ title: 'Kargo' }],
    })
    expect(await credits()).toBe(left - draft.body.credits_used)
    expect(draft.body.credits_used).toBeGreaterThanOrEqual(1)
    const after = await product.ctx.db
      .selectFrom('messages')
      .select('id')
      .where('session_id', '=', ses)
      .execute()
    expect(after).toHaveLength(messages.length)
  })
})
