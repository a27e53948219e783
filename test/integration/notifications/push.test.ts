import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Turn } from '../../../server/chat/schema.ts'
import { HOUR_MS, SECOND_MS } from '../../../server/lib/durations.ts'
import type { NotificationPreferences } from '../../../server/notifications/schema.ts'
import type { Problem } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases, describeOnDatabase } from '../../helpers/databases.ts'
import { addMember } from '../../helpers/members.ts'
import { addVisitor, addWorkspace } from '../../helpers/product.ts'
import { type PushService, startPushService } from '../../helpers/servers/push-service.ts'
import { useProduct } from '../../helpers/use-product.ts'

const SUBSCRIPTIONS = '/api/v1/account/push-subscriptions'

describeOnBothDatabases('notifications by push', (database) => {
  const clock = new TestClock(Date.UTC(2026, 10, 25, 9))
  let service: PushService

  beforeAll(async () => {
    service = await startPushService()
  })
  afterAll(() => service.close())
  const product = useProduct(database, { clock, settings: { ALLOW_PRIVATE_TARGETS: 'true' } })

  async function openSite() {
    const workspace = await addWorkspace(product, { tenant: { locale: 'en', name: 'Seramik' } })
    const visitor = await addVisitor(product, workspace)
    return { workspace, visitor }
  }
  async function askForPerson({ workspace, visitor }: Awaited<ReturnType<typeof openSite>>) {
    const { body } = await product.call<Turn>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: 'Is my vase on its way?' },
    })
    await product.call(`/api/v1/chatbot/sessions/${body.session_id}/handoff`, {
      method: 'POST',
      token: visitor,
    })
    return body.session_id
  }
  const subscribe = (token: string, body: unknown) =>
    product.call<{ id: string } & Problem>(SUBSCRIPTIONS, { token, body })
  const pathOf = (endpoint: string) => new URL(endpoint).pathname

  test('reach the browsers of who turned them on, encrypted and signed', async () => {
    const site = await openSite()
    const browser = service.subscribe()
    const added = await subscribe(site.workspace.token, { ...browser, expirationTime: null })
    expect(added.status, added.text).toBe(201)
    const sessionId = await askForPerson(site)
    await expect
      .poll(() => service.received.filter(({ path }) => path === pathOf(browser.endpoint)))
      .toHaveLength(1)
    const message = service.received.find(({ path }) => path === pathOf(browser.endpoint))
    const url = `http://localhost:3000/panel/inbox/${sessionId}`
    expect(message?.payload).toEqual({
      title: 'Seramik: bir ziyaretçi temsilciye bağlanmak istiyor',
      body: 'Is my vase on its way?',
      url,
      tag: url,
    })
    expect(message?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'high',
      ttl: '14400',
    })
    expect(message?.claims).toMatchObject({
      aud: new URL(browser.endpoint).origin,
      sub: 'mailto:no-reply@localhost',
    })
    const { body } = await product.call<{ key: string }>('/api/v1/push/key', site.workspace)
    expect(message?.key).toBe(body.key)
  })

  test('are tried again, and end with the subscription', async () => {
    const site = await openSite()
    const { db } = product.ctx
    const browser = service.subscribe()
    const added = await subscribe(site.workspace.token, browser)
    // The same browser once more: one subscription.
    const again = await subscribe(site.workspace.token, browser)
    service.answers.push(503)
    await askForPerson(site)
    const attempts = async () =>
      (
        await db
          .selectFrom('push_messages')
          .select(['attempts', 'lease_until'])
          .where('workspace_id', '=', site.workspace.id)
          .execute()
      ).map(({ attempts: count, lease_until }) => (lease_until === null ? count : 0))
    await expect.poll(attempts).toEqual([1])
    clock.move(10 * SECOND_MS)
    await expect
      .poll(() => service.received.filter(({ path }) => path === pathOf(browser.endpoint)))
      .toHaveLength(1)
    await expect.poll(attempts).toEqual([])
    service.answers.push(410)
    await askForPerson(site)
    await expect
      .poll(() =>
        db
          .selectFrom('push_subscriptions')
          .select('id')
          .where('workspace_id', '=', site.workspace.id)
          .execute(),
      )
      .toEqual([])
    expect(added.body.id).not.toBe(again.body.id)
  })

  test('wait an hour at most, whatever a push service asks for', async () => {
    const site = await openSite()
    await subscribe(site.workspace.token, service.subscribe())
    service.retryAfter = '1e300'
    service.answers.push(503)
    await askForPerson(site)
    const waits = async () => {
      const rows = await product.ctx.db
        .selectFrom('push_messages')
        .select(['attempts', 'lease_until', 'next_at'])
        .where('workspace_id', '=', site.workspace.id)
        .execute()
      return rows.map((row) => (row.lease_until === null ? row.next_at - clock.now() : undefined))
    }
    await expect.poll(waits).toEqual([HOUR_MS])
    delete service.retryAfter
  })

  test('are off for kinds and browsers that a member does not want', async () => {
    const site = await openSite()
    const other = await addMember(product, site.workspace)
    const [quiet, removed] = [service.subscribe(), service.subscribe()]
    await subscribe(site.workspace.token, quiet)
    const preferences = '/api/v1/account/notifications'
    const { body } = await product.call<NotificationPreferences>(preferences, site.workspace)
    await product.call(preferences, {
      method: 'PUT',
      token: site.workspace.token,
      body: { ...body, push: { ...body.push, handoff: false } },
    })
    const { id } = (await subscribe(other.token, removed)).body
    const path = `${SUBSCRIPTIONS}/${id}`
    expect((await product.call(path, { method: 'DELETE', ...site.workspace })).status).toBe(404)
    expect((await product.call(path, { method: 'DELETE', token: other.token })).status).toBe(204)
    await askForPerson(site)
    const queued = await product.ctx.db
      .selectFrom('push_messages')
      .select('id')
      .where('workspace_id', '=', site.workspace.id)
      .execute()
    expect(queued).toEqual([])
  })

  test('need a subscription of a browser', async () => {
    const { workspace } = await openSite()
    const { endpoint, keys } = service.subscribe()
    const wrong = [
      { endpoint, keys: { ...keys, p256dh: 'AAAA' } },
      { endpoint, keys: { ...keys, auth: 'AAAA' } },
      { endpoint: 'file:///etc/passwd', keys },
    ]
    for (const body of wrong) expect((await subscribe(workspace.token, body)).status).toBe(422)
  })
})

describeOnDatabase('the endpoint of a push subscription', (database) => {
  const product = useProduct(database)

  test('is public, like every address that a customer names', async () => {
    const workspace = await addWorkspace(product)
    const service = await startPushService()
    const { keys } = service.subscribe()
    for (const endpoint of ['https://127.0.0.1/push', 'http://example.com/', 'https://10.0.0.1/']) {
      const refused = await product.call<Problem>(SUBSCRIPTIONS, {
        token: workspace.token,
        body: { endpoint, keys },
      })
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, '/endpoint'])
    }
    await service.close()
  })
})
