import { beforeAll, expect, test } from 'vitest'
import type { Summary } from '../../../server/analytics/schema.ts'
import type { Slots } from '../../../server/appointments/schema.ts'
import type { Turn } from '../../../server/chat/schema.ts'
import { DAY_MS } from '../../../server/lib/durations.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addDocument, addVisitor, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'
import { freshToken } from '../credits/ledger.ts'

/** A Tuesday, noon in Istanbul. */
const NOON = Date.UTC(2027, 5, 15, 9)

describeOnDatabase('what happened on a site', (database) => {
  let clock: TestClock

  beforeAll(async () => {
    clock = new TestClock(NOON)
  })
  const product = useProduct(database, () => ({ clock }))

  async function summaryOf(workspace: TestWorkspace, query = ''): Promise<Summary> {
    const token = await freshToken(product, workspace)
    const path = `/api/v1/analytics/summary?${query}`
    const answer = await product.call<Summary>(path, { token })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const say = (workspace: TestWorkspace, token: string, message: string, more: object = {}) =>
    product.call<Turn>('/api/v1/chatbot/message', {
      token,
      body: { tenant_id: workspace.tenantId, message, ...more },
    })

  test('is counted as it happens: talks, answers, people, leads, ratings and pages', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const { token, tenantId } = workspace
    await addDocument(product, workspace, {
      title: 'Kargo',
      content: '# Kargo\n\nKargo ücreti 49 liradır. Siparişler üç gün içinde teslim edilir.',
    })
    const ayse = await addVisitor(product, workspace)
    const page_url = 'https://user:pass@shop.example/kargo?email=ayse@example.com#top'
    const first = await say(workspace, ayse, 'Kargo ücreti ne kadar?', { page_url })
    const { session_id } = first.body
    const path = `/api/v1/chatbot/sessions/${session_id}`
    await say(workspace, ayse, 'Zürafalar kaç kilo gelir acaba?', { session_id })
    const rate = (rating: number) =>
      product.call(`${path}/feedback`, {
        token: ayse,
        body: { rating, message_id: first.body.reply?.message_id },
      })
    await rate(1)
    await rate(5)
    await product.call(`${path}/lead`, {
      token: ayse,
      body: { name: 'Ayşe', phone: '05321234567', email: 'ayse@example.com' },
    })
    await product.call(`${path}/handoff`, { token: ayse, body: {} })
    clock.move(40_000)
    const answer = (text: string) =>
      product.call(`/api/v1/inbox/${session_id}/messages`, { token, body: { text } })
    expect((await answer('Buyurun, ben Deniz.')).status).toBe(201)
    await answer('Nasıl yardımcı olabilirim?')
    const slots = await product.call<Slots>(`${path}/slots`, {
      token: ayse,
    })
    const booked = await product.call(`${path}/appointment`, {
      token: ayse,
      body: { name: 'Ayşe', start: slots.body.data[0]?.start },
    })
    expect(booked.status, booked.text).toBe(201)
    const fatma = await addVisitor(product, workspace)
    await say(workspace, fatma, 'Kargo ücreti ne kadar?', {
      page_url: 'https://shop.example/kargo',
    })

    const { totals, series, pages, ...rest } = await summaryOf(workspace)
    expect(rest).toMatchObject({
      from: '2027-05-17',
      to: '2027-06-15',
      time_zone: 'Europe/Istanbul',
      tenant_id: null,
    })
    expect(totals).toEqual({
      sessions: 2,
      messages: 8,
      visitor_messages: 3,
      bot_messages: 3,
      operator_messages: 2,
      answered: 2,
      unanswered: 1,
      handoffs: 1,
      leads: 1,
      appointments: 1,
      first_responses: 1,
      first_response_seconds: 40,
      first_response_median_seconds: 37.5,
      ratings: 1,
      average_rating: 5,
      csat: 1,
      one_message_sessions: 1,
      drop_off: 0.5,
      capped: 0,
      widget_events: 0,
    })
    expect(series.length).toBe(30)
    const { first_response_median_seconds: _, ...sameOfDay } = totals
    expect(series.at(-1)).toEqual({ day: '2027-06-15', ...sameOfDay })
    expect(series[0]).toMatchObject({ day: '2027-05-17', sessions: 0, drop_off: null })
    expect(pages).toEqual([{ page: 'shop.example/kargo', sessions: 2 }])
    expect((await summaryOf(workspace, `tenant_id=${tenantId}`)).totals).toEqual(totals)
  })

  test("falls on the days of the workspace's time zone", async () => {
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const midnight = Date.UTC(2027, 5, 15, 21)
    clock.move(midnight - 1 - clock.now())
    const { body } = await say(workspace, visitor, 'Merhaba')
    clock.move(1)
    await say(workspace, visitor, 'Orada mısınız?', { session_id: body.session_id })
    const { series } = await summaryOf(workspace, 'from=2027-06-15&to=2027-06-16')
    expect(
      series.map((one) => [one.day, one.sessions, one.visitor_messages, one.one_message_sessions]),
    ).toEqual([
      ['2027-06-15', 1, 1, 0],
      ['2027-06-16', 0, 1, 0],
    ])
  })

  test('adds up when many visitors talk at once', async () => {
    const workspace = await addWorkspace(product)
    const visitors = await Promise.all(
      Array.from({ length: 12 }, () => addVisitor(product, workspace)),
    )
    const answers = await Promise.all(visitors.map((token) => say(workspace, token, 'Merhaba')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { totals } = await summaryOf(workspace)
    expect(totals).toMatchObject({ sessions: 12, messages: 24, one_message_sessions: 12 })
  })

  test('is a file too, and is refused for what is not there or not theirs', async () => {
    const workspace = await addWorkspace(product)
    const other = await addWorkspace(product)
    await say(workspace, await addVisitor(product, workspace), 'Merhaba')
    const token = await freshToken(product, workspace)
    const file = await product.call('/api/v1/analytics/summary.csv?from=2027-06-16&to=2027-06-16', {
      token,
    })
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head = '', line = ''] = file.text.split('\r\n')
    expect(head.split(',').slice(0, 3)).toEqual(['day', 'sessions', 'messages'])
    expect(line.split(',').slice(0, 3)).toEqual(['2027-06-16', '1', '2'])
    const cases: [string, number][] = [
      [`tenant_id=${other.tenantId}`, 403],
      ['tenant_id=no-such-tenant', 404],
      ['from=2027-02-29', 422],
      ['from=2027-06-16&to=2027-06-15', 422],
      ['from=1990-01-01', 422],
      ['by=day', 422],
    ]
    for (const [query, status] of cases) {
      for (const path of ['summary', 'summary.csv']) {
        const answer = await product.call(`/api/v1/analytics/${path}?${query}`, { token })
        expect([query, answer.status]).toEqual([query, status])
      }
    }
  })

  test('is read for a year by the counters alone', async () => {
    const workspace = await addWorkspace(product)
    const from = clock.now() - 364 * DAY_MS
    const names = ['page', 'event'] as const
    const rows = Array.from({ length: 365 }, (_, day) => ({
      day: new Date(from + day * DAY_MS).toISOString().slice(0, 10),
    }))
    for (const { day } of rows) {
      await product.ctx.db
        .insertInto('analytics_subjects')
        .values(
          names.map((kind) => ({
            workspace_id: workspace.id,
            tenant_id: workspace.tenantId,
            kind,
            day,
            subject: 'shop.example/',
            count: 2,
            amount: 0,
          })),
        )
        .execute()
    }
    const first = rows[0]?.day ?? ''
    const last = rows.at(-1)?.day ?? ''
    const { pages, series } = await summaryOf(workspace, `from=${first}&to=${last}`)
    expect(series.length).toBe(365)
    expect(pages).toEqual([{ page: 'shop.example/', sessions: 730 }])
  })
})
