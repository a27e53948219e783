import { expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { Found, Overview } from '../../../server/overview/schema.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { leaveUnanswered, readDocument } from '../../helpers/knowledge.ts'
import { addMember } from '../../helpers/members.ts'
import { addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

describeOnBothDatabases('the first page', (database) => {
  const clock = new TestClock(Date.UTC(2027, 4, 10, 9))
  const product = useProduct(database, { clock })

  test('says what waits, what came today and what to do next', async () => {
    const own = await addWorkspace(product, { credits: 1_000, tenant: { locale: 'tr' } })
    const read = async (query = '') =>
      (await product.call<Overview>(`/api/v1/overview${query}`, { token: own.token })).body
    expect(await read()).toEqual({
      waiting: 0,
      leads_today: 0,
      appointments_today: 0,
      answered_rate: null,
      unanswered: [],
      credits: {
        remaining: 1_000,
        monthly_limit: 1_000,
        addons: 0,
        reset_at: '2027-06-01T00:00:00.000Z',
        days_left: null,
      },
      checklist: { site: true, knowledge: false, asked: false, installed: false, team: false },
    })

    const doc = await addDocument(product, own, {
      title: 'Kargo',
      content: '# Kargo\n\nKargo ücreti 49 liradır.',
    })
    await readDocument(product, own, doc)
    await product.call(`/api/v1/tenants/${own.tenantId}/ask`, {
      token: own.token,
      body: { question: 'Kargo ücreti ne kadar?' },
    })
    expect((await read()).checklist.asked).toBe(true)
    const visitor = await addVisitor(product, own)
    const say = (message: string) =>
      product.call<Turn>('/api/v1/chatbot/message', {
        token: visitor,
        body: { tenant_id: own.tenantId, message },
      })
    const { body: turn } = await say('Kargo ücreti ne kadar?')
    const form = { name: 'Işıl Öz', phone: '+905321234567', email: 'isil@example.com' }
    const session = `/api/v1/chatbot/sessions/${turn.session_id}`
    await product.call(`${session}/lead`, { token: visitor, body: form })
    await leaveUnanswered(product, own, visitor)
    await product.call(`${session}/handoff`, { method: 'POST', token: visitor })
    await addMember(product, own, { name: 'Çağla' })

    // The page with the tag is noted behind the answer.
    await product.call(`/api/v1/widget/${own.tenantId}/config`, {
      headers: { origin: 'https://shop.example' },
    })
    await expect
      .poll(async () => (await read(`?tenant_id=${own.tenantId}`)).checklist.installed)
      .toBe(true)
    const seen = await read(`?tenant_id=${own.tenantId}`)
    expect(seen).toMatchObject({
      waiting: 1,
      leads_today: 1,
      answered_rate: 0.5,
      checklist: { site: true, knowledge: true, asked: true, installed: true, team: true },
    })
    expect(seen.unanswered).toMatchObject([{ count: 1 }])
    // Two turns of a credit each in the last seven days.
    expect(seen.credits.days_left).toBe(Math.floor((seen.credits.remaining * 7) / 2))

    const stranger = await addWorkspace(product)
    const refused = await product.call(`/api/v1/overview?tenant_id=${own.tenantId}`, {
      token: stranger.token,
    })
    expect(refused.status).toBe(403)

    const find = async (q: string, token = own.token) =>
      (
        await product.call<{ data: Found[] }>(`/api/v1/find?q=${encodeURIComponent(q)}`, { token })
      ).body.data.map(({ kind, title, path }) => ({ kind, title, path }))
    expect(await find('isil')).toMatchObject([
      { kind: 'lead', title: 'Işıl Öz' },
      { kind: 'conversation', title: 'Işıl Öz', path: `/inbox/${turn.session_id}` },
    ])
    expect(await find('CAGLA')).toEqual([{ kind: 'person', title: 'Çağla', path: '/team' }])
    expect(await find(own.tenantId)).toMatchObject([{ kind: 'site' }])
    expect(await find('kargo')).toContainEqual({
      kind: 'document',
      title: 'Kargo',
      path: `/knowledge/documents/${doc}?site=${own.tenantId}`,
    })
    expect(await find('isil', stranger.token)).toEqual([])
    // Somebody without a name is told apart from others of the site.
    await product.call('/api/v1/chatbot/message', {
      token: await addVisitor(product, own),
      body: { tenant_id: own.tenantId, message: 'Zencefil satıyor musunuz?' },
    })
    const [unnamed] = await find('zencefil')
    expect(unnamed?.title).toMatch(/ · [A-Z0-9_-]{4}$/)
  })
})
