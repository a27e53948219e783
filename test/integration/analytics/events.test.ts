import { expect, test } from 'vitest'
import type { Summary } from '../../../server/analytics/schema.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../server/lib/durations.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { freshToken } from '../credits/ledger.ts'

const NOON = Date.UTC(2027, 5, 15, 9)
const ROUTE = '/api/v1/analytics/events'

describeOnDatabase('what pages report', (database) => {
  const clock = new TestClock(NOON)

  const product = useProduct(database, { clock })

  const at = (ms = clock.now()) => new Date(ms).toISOString()
  const report = <Body = { accepted: number }>(
    body: object,
    headers: Record<string, string> = {},
  ) => product.call<Body>(ROUTE, { body, headers })
  async function summaryOf(workspace: TestWorkspace): Promise<Summary> {
    const token = await freshToken(product, workspace)
    const path = '/api/v1/analytics/summary?from=2027-06-14&to=2027-06-15'
    return (await product.call<Summary>(path, { token })).body
  }

  test('is counted by type, as JSON and as the plain text of a page that is left', async () => {
    const workspace = await addWorkspace(product)
    const { tenantId: tenant_id } = workspace
    const opened = await report({
      tenant_id,
      visitor_id: `vis_${'a'.repeat(22)}`,
      events: [
        { type: 'widget.opened', at: at() },
        { type: 'widget.cost', at: at(), props: { bytes: 1000, shift: 0.5, page: 'x', ok: true } },
      ],
    })
    expect([opened.status, opened.body]).toEqual([202, { accepted: 2 }])
    const left = await product.call(ROUTE, {
      raw: JSON.stringify({
        tenant_id,
        events: [{ type: 'widget.cost', at: at(), props: { bytes: 3000 } }],
      }),
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example' },
    })
    expect(left.status).toBe(202)
    expect(left.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    const { totals, events, numbers } = await summaryOf(workspace)
    expect(totals.widget_events).toBe(3)
    expect(events).toEqual([
      { type: 'widget.cost', count: 2 },
      { type: 'widget.opened', count: 1 },
    ])
    expect(numbers).toEqual([
      { type: 'widget.cost', name: 'bytes', count: 2, sum: 4000, average: 2000 },
      { type: 'widget.cost', name: 'shift', count: 1, sum: 0.5, average: 0.5 },
    ])
  })

  test('counts where it happened on the day, and now when no clock could have shown that', async () => {
    const workspace = await addWorkspace(product)
    const times = [NOON, NOON - 20 * HOUR_MS, NOON - 40 * DAY_MS, NOON + HOUR_MS]
    await report({
      tenant_id: workspace.tenantId,
      events: times.map((time) => ({ type: 'seen', at: at(time) })),
    })
    const { series } = await summaryOf(workspace)
    expect(series.map(({ day, widget_events }) => [day, widget_events])).toEqual([
      ['2027-06-14', 1],
      ['2027-06-15', 3],
    ])
  })

  test('keeps nothing that names anybody', async () => {
    const workspace = await addWorkspace(product)
    await report({
      tenant_id: workspace.tenantId,
      visitor_id: `vis_${'Q'.repeat(22)}`,
      events: [{ type: 'form', at: at(), props: { email: 'ayse@example.com' } }],
    })
    const rows = await product.ctx.db
      .selectFrom('analytics_subjects')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .execute()
    expect(rows.map(({ kind, subject }) => [kind, subject])).toEqual([['event', 'form']])
  })

  test('is refused where it does not fit, with the place', async () => {
    const { tenantId: tenant_id } = await addWorkspace(product)
    const good = { type: 'seen', at: at() }
    const cases: [object, string][] = [
      [{ tenant_id, events: [] }, '/events'],
      [{ tenant_id, events: Array.from({ length: 51 }, () => good) }, '/events'],
      [{ tenant_id, events: [{ ...good, at: 'yesterday' }] }, '/events/0/at'],
      [{ tenant_id, events: [{ ...good, type: '' }] }, '/events/0/type'],
      [{ tenant_id, events: [{ type: 'seen' }] }, '/events/0/at'],
      [{ tenant_id, events: [{ ...good, props: { deep: {} } }] }, '/events/0/props/deep'],
      [{ tenant_id, events: [good], more: 1 }, '/more'],
      [{ tenant_id, visitor_id: 'me', events: [good] }, '/visitor_id'],
    ]
    for (const [body, path] of cases) {
      const answer = await report<Problem>(body)
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(answer.body.errors?.[0]?.path).toBe(path)
    }
    const full = await report({ tenant_id, events: Array.from({ length: 50 }, () => good) })
    expect([full.status, full.body]).toEqual([202, { accepted: 50 }])
    const none = await report<Problem>({ tenant_id: 'no-such-tenant', events: [good] })
    expect([none.status, none.body.code]).toEqual([404, 'not_found'])
    const broken = await product.call<Problem>(ROUTE, {
      raw: '{',
      headers: { 'content-type': 'text/plain' },
    })
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed_request'])
    const form = await product.call<Problem>(ROUTE, {
      raw: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(415)
    const elsewhere = await product.call<Problem>('/api/v1/auth/token', {
      raw: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    expect(elsewhere.status).toBe(415)
  })

  test('comes only from the pages on the list', async () => {
    const { tenantId: tenant_id } = await addWorkspace(product, {
      tenant: { allowed_origins: ['https://shop.example'] },
    })
    const body = { tenant_id, events: [{ type: 'seen', at: at() }] }
    expect((await report(body, { origin: 'https://shop.example' })).status).toBe(202)
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const answer = await report<Problem>(body, headers)
      expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('is taken 120 times a minute from an address for a site, whatever is asked', async () => {
    const { tenantId: tenant_id } = await addWorkspace(product)
    const other = await addWorkspace(product)
    const body = { tenant_id, events: [{ type: 'seen', at: at() }] }
    const first = await report(body)
    expect(first.headers.get('x-ratelimit-limit')).toBe('120')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('119')
    const wrong = await report({ tenant_id, events: [] })
    expect([wrong.status, wrong.headers.get('x-ratelimit-remaining')]).toEqual([422, '118'])
    const rest = await Promise.all(Array.from({ length: 118 }, () => report(body)))
    expect(new Set(rest.map(({ status }) => status))).toEqual(new Set([202]))
    const over = await report<Problem>({ tenant_id, events: [] })
    expect([over.status, over.body.code]).toEqual([429, 'rate_limited'])
    expect(over.headers.get('retry-after')).toBe(over.headers.get('x-ratelimit-reset'))
    expect((await report({ ...body, tenant_id: other.tenantId })).status).toBe(202)
    clock.move(MINUTE_MS)
    expect((await report(body)).status).toBe(202)
  })

  test('fills no disk with names that somebody makes up', async () => {
    const workspace = await addWorkspace(product)
    for (let page = 0; page < 3; page += 1) {
      const events = Array.from({ length: 50 }, (_, index) => ({
        type: `made-up-${page}-${index}`,
        at: at(),
      }))
      await report({ tenant_id: workspace.tenantId, events })
    }
    const { totals, events } = await summaryOf(workspace)
    expect(totals.widget_events).toBe(150)
    expect(events[0]).toEqual({ type: 'other', count: 50 })
    const { count } = await product.ctx.db
      .selectFrom('analytics_subjects')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspace.id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(101)
  })
})
