import { beforeAll, expect, test } from 'vitest'
import type { Appointment, Slots } from '../../../../server/appointments/schema.ts'
import type { Session } from '../../../../server/chat/schema.ts'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import type { CreditsAnswer } from '../../../helpers/answers.ts'
import { describeOnBothDatabases } from '../../../helpers/databases.ts'
import { addMember } from '../../../helpers/members.ts'
import {
  type Answer,
  type TestWorkspace,
  addVisitor,
  addWorkspace,
} from '../../../helpers/product.ts'
import { useProduct } from '../../../helpers/use-product.ts'
import { ALWAYS_OPEN } from '../access/filled-workspace.ts'

const ROUNDS = 3
const AYSE = { name: 'Ayşe', phone: '+905321234567', email: 'ayse@example.com' }

interface Talk {
  token: string
  id: string
  path: string
}

describeOnBothDatabases('what many do at the same moment', (database) => {
  let own: TestWorkspace

  const product = useProduct(database)
  beforeAll(async () => {
    own = await addWorkspace(product, { plan: 'enterprise', tenant: ALWAYS_OPEN })
  })

  const atOnce = <Result>(count: number, act: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, at) => act(at)))

  const call = <Body>(path: string, token: string, body?: object, method = 'POST') =>
    product.call<Body>(path, { token, method, ...(body ? { body } : {}) })

  const failures = (answers: readonly Answer<unknown>[]) =>
    answers.filter(({ status }) => status >= 500).map(({ text }) => text)

  async function begin(workspace = own): Promise<Talk> {
    const token = await addVisitor(product, workspace)
    const body = { tenant_id: workspace.tenantId }
    const opened = await call<Session>('/api/v1/chatbot/sessions', token, body)
    const id = opened.body.session_id
    return { token, id, path: `/api/v1/chatbot/sessions/${id}` }
  }

  const rowsOf = (
    table: 'messages' | 'leads' | 'lead_drafts' | 'notes' | 'feedback',
    { id }: Talk,
  ) => product.ctx.db.selectFrom(table).selectAll().where('session_id', '=', id).execute()

  const held = async ({ token }: TestWorkspace) =>
    (await product.call<CreditsAnswer>('/api/v1/credits', { token })).body.held

  test('makes one lead, one rating and one wish for a person of a conversation', async () => {
    const talk = await begin()
    const answers = await atOnce(30, (at) => {
      if (at % 3 === 0) return call(`${talk.path}/handoff`, talk.token)
      if (at % 3 === 1) return call(`${talk.path}/feedback`, talk.token, { rating: (at % 5) + 1 })
      return call(`${talk.path}/lead`, talk.token, { ...AYSE, name: `Ayşe ${at}` })
    })
    expect(failures(answers)).toEqual([])
    const [leads, ratings, messages] = await Promise.all(
      (['leads', 'feedback', 'messages'] as const).map((table) => rowsOf(table, talk)),
    )
    expect([leads?.length, ratings?.length, messages?.length]).toEqual([1, 1, 1])
  })

  test('leaves a conversation in one state under concurrent takes, returns and closes', async () => {
    const people = [own.token, (await addMember(product, own)).token]
    const verbs = ['claim', 'release', 'close', 'messages', 'notes', 'typing', 'read']
    for (let round = 0; round < ROUNDS; round += 1) {
      const talk = await begin()
      const answers = await atOnce(28, (at) => {
        const verb = verbs[at % verbs.length] ?? ''
        const body = verb === 'messages' || verb === 'notes' ? { text: 'Hello' } : undefined
        if (at % 9 === 0) return call(`${talk.path}/handoff`, talk.token)
        return call(`/api/v1/inbox/${talk.id}/${verb}`, people[at % 2] ?? '', body)
      })
      expect(failures(answers)).toEqual([])
      const shown = await product.call<InboxSession>(`/api/v1/inbox/${talk.id}`, {
        token: own.token,
      })
      expect(shown.body.state === 'operator').toBe(shown.body.assignee !== null)
      const places = (await rowsOf('messages', talk)).map(({ sequence }) => sequence)
      expect(places.toSorted((one, other) => one - other)).toEqual(places.map((_, at) => at + 1))
    }
  })

  test('leaves nothing of a conversation that is erased in the meantime, and no hold', async () => {
    const message = { tenant_id: own.tenantId, message: 'Adım Ayşe, 0532 123 45 67' }
    for (let round = 0; round < ROUNDS; round += 1) {
      const talk = await begin()
      const answers = await atOnce(16, (at) => {
        if (at === 7) return call(talk.path, talk.token, undefined, 'DELETE')
        if (at % 4 === 0) return call(`${talk.path}/lead`, talk.token, AYSE)
        if (at % 4 === 1) return call(`${talk.path}/feedback`, talk.token, { rating: 5 })
        if (at % 4 === 2) return call(`/api/v1/inbox/${talk.id}/notes`, own.token, { text: 'x' })
        const body = { ...message, session_id: talk.id }
        return call('/api/v1/chatbot/message', talk.token, body)
      })
      expect(failures(answers)).toEqual([])
      for (const table of ['messages', 'leads', 'lead_drafts', 'notes', 'feedback'] as const) {
        expect(await rowsOf(table, talk), table).toEqual([])
      }
      expect(await held(own)).toBe(0)
    }
  })

  test('books and moves no time twice, and never more than three of a conversation', async () => {
    const talk = await begin()
    const slots = await product.call<Slots>(`${talk.path}/slots`, {
      token: talk.token,
    })
    const start = (at: number) => ({ start: slots.body.data[at]?.start })
    const booked = await atOnce(10, (at) =>
      call<Appointment>(`${talk.path}/appointment`, talk.token, {
        name: 'Ayşe',
        ...start(at),
      }),
    )
    const ids = booked.flatMap(({ status, body }) => (status === 201 ? [body.appointment_id] : []))
    expect(ids).toHaveLength(3)
    const moved = await atOnce(3, (at) =>
      call(`/api/v1/appointments/${ids[at]}`, own.token, start(20), 'PATCH'),
    )
    expect(moved.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  })

  test('adds every app that is connected to the channels of the site', async () => {
    const made = await atOnce(3, (at) =>
      call('/api/v1/integrations', own.token, {
        kind: ['whatsapp', 'telegram', 'meta'][at],
        tenant_id: own.tenantId,
      }),
    )
    expect(failures(made)).toEqual([])
    const site = await product.call<{ channels: string[] }>(`/api/v1/tenants/${own.tenantId}`, {
      token: own.token,
    })
    expect(site.body.channels).toHaveLength(4)
  })

  test('leaves no hold for answers of a site that is removed in the meantime', async () => {
    const other = await addWorkspace(product, { plan: 'enterprise' })
    const visitors = await atOnce(6, () => addVisitor(product, other))
    const answers = await atOnce(18, (at) => {
      if (at === 8) {
        return call(`/api/v1/tenants/${other.tenantId}`, other.token, undefined, 'DELETE')
      }
      const body = { tenant_id: other.tenantId, message: `Merhaba ${at}` }
      return call('/api/v1/chatbot/message', visitors[at % 6] ?? '', body)
    })
    expect(failures(answers)).toEqual([])
    expect(await held(other)).toBe(0)
  })
})
