import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import type { InboxSession } from '../../../server/inbox/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { addVisitor } from '../../helpers/product.ts'
import { metaText } from '../integrations/notifications.ts'
import { openIntegration, tell as callHook } from '../integrations/setup.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { BASE, openSubscriber, type Subscriber, SLOW } from './subscriber.ts'

const TABLES = ['deliveries', 'dead_letters', 'finished_deliveries', 'delivery_attempts']

describeOnDatabase('what webhooks tell of people', (database) => {
  const product = useProduct(database, { settings: SLOW })
  let my: Subscriber
  beforeAll(async () => {
    my = await openSubscriber(product)
  })
  beforeEach(() => my.renew())
  afterEach(() => my.clear())

  /** Everything that is stored of deliveries, as text. */
  async function stored(): Promise<string> {
    const { db } = my.product.ctx
    const all = TABLES.map(
      async (table) => (await sql`select * from ${sql.table(table)}`.execute(db)).rows,
    )
    return JSON.stringify(await Promise.all(all))
  }

  /** A visitor writes to a receiver that repeats what it gets: one waits, one failed, one is held. */
  async function tell(
    name: string,
    tenant_id = my.workspace.tenantId,
  ): Promise<{ ids: string[]; token: string; sessionId: string }> {
    const ids = []
    for (const status of [500, 400]) {
      const { id } = (await my.subscribe({ url: `${my.receiver.url}?${status}` })).body
      ids.push(id)
    }
    my.receiver.act = ({ path, body, headers }) => {
      const isPing = headers['x-svc-event'] === 'ping'
      return { status: isPing ? 204 : Number(path.split('?')[1]), body }
    }
    const disabled = await my.subscribe({ url: 'http://127.0.0.1:9/' })
    expect(disabled.body.state).toBe('disabled')
    ids.push(disabled.body.id)
    const token = await addVisitor(my.product, { ...my.workspace, tenantId: tenant_id })
    const body = { tenant_id, message: `Adım ${name}` }
    const said = await my.product.call<Turn>('/api/v1/chatbot/message', {
      token,
      body,
    })
    const [waiting = '', failed = '', held = ''] = ids
    const answered = [{ attempts: [{ answer: expect.stringContaining(name) }] }]
    await expect
      .poll(() => my.sentBy(waiting))
      .toMatchObject([{ state: 'waiting', ...answered[0] }, {}])
    await expect
      .poll(() => my.sentBy(failed))
      .toMatchObject([{ state: 'failed', ...answered[0] }, {}])
    expect(await my.sentBy(held)).toMatchObject([{ state: 'held' }, {}])
    return { ids, token, sessionId: said.body.session_id }
  }

  test('is forgotten with the subscription: nothing of it is sent, that it was stays readable', async () => {
    const { ids } = await tell('Ayşe')
    const count = my.receiver.received.length
    for (const id of ids) await my.call(`${BASE}/${id}`, { method: 'DELETE' })
    const [waiting = '', failed = '', held = ''] = ids
    expect(await my.sentBy(waiting)).toMatchObject([{ state: 'cancelled', attempts: [{}] }, {}])
    expect(await my.sentBy(failed)).toMatchObject([{ state: 'failed', attempts: [{}] }, {}])
    expect(await my.sentBy(held)).toMatchObject([{ state: 'cancelled', attempts: [] }, {}])
    const { db } = my.product.ctx
    expect(await db.selectFrom('deliveries').select('id').execute()).toEqual([])
    expect(await db.selectFrom('dead_letters').select('id').execute()).toEqual([])
    expect(my.receiver.received).toHaveLength(count)
  })

  test('is erased with the conversation, what receivers answered too', async () => {
    const { ids, token, sessionId } = await tell('Zübeyde')
    expect(await stored()).toContain('Zübeyde')
    const erased = await my.product.call(`/api/v1/chatbot/sessions/${sessionId}`, {
      method: 'DELETE',
      token,
    })
    expect(erased.status).toBe(204)
    expect(await stored()).not.toContain('Zübeyde')
    for (const id of ids) {
      expect(await my.sentBy(id)).toMatchObject([
        { event: 'chatbot.message', state: 'cancelled' },
        {},
      ])
    }
    const [, failed] = ids
    const recovered = await my.call(`${BASE}/${failed}/recover`, {
      body: { since: '2026-01-01T00:00:00Z' },
    })
    expect(recovered).toMatchObject({ status: 202, body: { resent: 0 } })
  })

  test('is erased with the conversation in a messaging app, too', async () => {
    const { workspace, receiver } = my
    receiver.act = ({ body, headers }) => {
      const isPing = headers['x-svc-event'] === 'ping'
      return { status: isPing ? 204 : 400, body }
    }
    const { id } = (await my.subscribe({ events: ['social.dm.received'] })).body
    const app = await openIntegration(product, workspace, 'meta')
    await callHook(product, app, metaText('5550077', 'Adım Feride'))
    await expect
      .poll(() => my.sentBy(id))
      .toMatchObject([{ event: 'social.dm.received', state: 'failed' }, {}])
    expect(await stored()).toContain('Feride')
    const inbox = await my.call<Page<InboxSession>>('/api/v1/inbox')
    const session = inbox.body.data.find(({ channel }) => channel === 'meta')
    const erased = await my.call(`/api/v1/chatbot/sessions/${session?.session_id}`, {
      method: 'DELETE',
    })
    expect(erased.status, erased.text).toBe(204)
    expect(await stored()).not.toContain('Feride')
  })

  test('is erased with the site that is removed', async () => {
    const tenant_id = 'a-site-to-remove'
    await my.call('/api/v1/tenants', { body: { tenant_id, name: 'Site' } })
    const { ids } = await tell('Nilüfer', tenant_id)
    expect(await stored()).toContain('Nilüfer')
    const removed = await my.call(`/api/v1/tenants/${tenant_id}`, { method: 'DELETE' })
    expect(removed.status).toBe(204)
    expect(await stored()).not.toContain('Nilüfer')
    for (const id of ids) {
      expect(await my.sentBy(id)).toMatchObject([
        { event: 'chatbot.message', state: 'cancelled' },
        {},
      ])
    }
  })
})
