import { beforeAll, expect, test } from 'vitest'
import type { Appointment, Slots } from '../../../../server/appointments/schema.ts'
import type { Session } from '../../../../server/chat/schema.ts'
import { HOUR_MS } from '../../../../server/lib/durations.ts'
import type { Problem } from '../../../helpers/answers.ts'
import { TestClock } from '../../../helpers/clock.ts'
import { describeOnDatabase } from '../../../helpers/databases.ts'
import { type TestWorkspace, addVisitor, addWorkspace } from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { freshToken } from '../../credits/ledger.ts'
import { ALWAYS_OPEN } from '../access/filled-workspace.ts'

/** Instants at the edges of the calendar, where a loop over days can miss its end. */
const INSTANTS = [
  '9999-12-31T23:59:59.999+14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999-23:59',
  '9999-12-30T12:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '0000-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
]
const DAYS = ['9999-12-31', '9999-12-30', '0001-01-01', '0000-01-01', '1970-01-01']

async function openConversation(
  product: ReturnType<typeof useProduct>,
  workspace: TestWorkspace,
): Promise<{ token: string; path: string }> {
  const token = await addVisitor(product, workspace)
  const { body } = await product.call<Session>('/api/v1/chatbot/sessions', {
    token,
    body: { tenant_id: workspace.tenantId },
  })
  return { token, path: `/api/v1/chatbot/sessions/${body.session_id}` }
}

describeOnDatabase('a stranger who wants to freeze the process', (database) => {
  const product = useProduct(database)
  let workspace: TestWorkspace

  beforeAll(async () => {
    workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
  })

  test('books at the end of the calendar and is refused at once', async () => {
    const { token, path } = await openConversation(product, workspace)
    for (const start of INSTANTS) {
      const body = { name: 'Ayşe', start }
      const { status } = await product.call(`${path}/appointment`, { token, body })
      expect([start, status]).toEqual([start, 422])
    }
  })

  test('asks for the slots of every age of the world and gets none, or 422', async () => {
    const { token, path } = await openConversation(product, workspace)
    const edges = [...INSTANTS, ...DAYS]
    for (const from of edges) {
      for (const to of [undefined, ...edges]) {
        const query = new URLSearchParams(to === undefined ? { from } : { from, to })
        const answer = await product.call<Slots>(`${path}/slots?${query}`, { token })
        const shown = [from, to, answer.status, answer.body.data ?? []]
        expect([
          [from, to, 200, []],
          [from, to, 422, []],
        ]).toContainEqual(shown)
      }
    }
  })

  test('moves the appointment by its link, as a member does, and is refused at once', async () => {
    const { token, path } = await openConversation(product, workspace)
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const booked = await product.call<Appointment>(`${path}/appointment`, {
      token,
      body: { name: 'Ayşe', start: slots.body.data[5]?.start },
    })
    const link = new URL(booked.body.manage_url ?? '').pathname
    for (const start of INSTANTS) {
      await product.call(link, {
        method: 'POST',
        raw: new URLSearchParams({ start }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      const { status } = await product.call(`/api/v1/appointments/${booked.body.appointment_id}`, {
        method: 'PATCH',
        token: workspace.token,
        body: { start },
      })
      expect([start, status]).toEqual([start, 422])
    }
  })

  test('gets no summary and no usage of ten thousand years', async () => {
    const { token } = workspace
    for (const route of ['analytics/summary', 'analytics/summary.csv', 'credits/usage']) {
      for (const from of [...DAYS, ...INSTANTS]) {
        for (const to of [from, '9999-12-31']) {
          const query = new URLSearchParams({ from, to })
          const { status } = await product.call(`/api/v1/${route}?${query}`, { token })
          expect([200, 422], `${route} ${from} ${to}`).toContain(status)
        }
      }
    }
  })
})

describeOnDatabase('a stranger who wants all appointments', (database) => {
  const clock = new TestClock(Date.UTC(2027, 5, 15, 9))
  const product = useProduct(database, { clock, settings: { LIMIT_DEFAULT: '60' } })

  async function book(workspace: TestWorkspace) {
    const { token, path } = await openConversation(product, workspace)
    const slots = await product.call<Slots>(`${path}/slots`, { token })
    const body = { name: 'Ayşe', start: slots.body.data[0]?.start }
    return {
      invalid: () => product.call<Problem>(`${path}/appointment`, { token, body: {} }),
      booked: await product.call<Problem>(`${path}/appointment`, { token, body }),
    }
  }

  test('books five times in an hour from one address, whatever visitor each is', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    const { invalid } = await book(workspace)
    expect((await invalid()).status).toBe(422)
    for (let count = 1; count < 5; count += 1) {
      const { booked } = await book(workspace)
      expect(booked.status).toBe(201)
      expect(booked.headers.get('x-ratelimit-remaining')).toBe(String(4 - count))
    }
    const { booked: refused } = await book(workspace)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe(String(HOUR_MS / 1_000))
    expect(refused.headers.get('x-ratelimit-limit')).toBe('5')
    expect(refused.headers.get('x-ratelimit-reset')).toBe(refused.headers.get('retry-after'))
    // 429 comes before 422, and another site's calendar has its own count.
    expect((await invalid()).status).toBe(429)
    const other = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    expect((await book(other)).booked.status).toBe(201)
    clock.move(HOUR_MS)
    expect((await book(workspace)).booked.status).toBe(201)
  })

  test('holds nobody back who books for others as a member', async () => {
    const workspace = await addWorkspace(product, { tenant: ALWAYS_OPEN })
    for (let count = 0; count < 6; count += 1) {
      const token = await freshToken(product, workspace)
      const session = await product.call<Session>('/api/v1/chatbot/sessions', {
        token,
        body: { tenant_id: workspace.tenantId },
      })
      const path = `/api/v1/chatbot/sessions/${session.body.session_id}`
      const slots = await product.call<Slots>(`${path}/slots`, { token })
      const body = { name: 'Ayşe', start: slots.body.data[0]?.start }
      const { status } = await product.call(`${path}/appointment`, { token, body })
      expect(status).toBe(201)
    }
  })
})
