import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CreditsAnswer, Problem } from '../../helpers/answers.ts'
import { type ChannelServers, startChannelServers } from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { addVisitor } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { type Apps, openApps } from '../integrations/apps.ts'
import { whatsappText } from '../integrations/notifications.ts'
import { tell } from '../integrations/setup.ts'

const NUMBER = '905321112233'
const SECRET = 'gizli sorum'

describeOnDatabase('who is erased while the bot is still answering', (database) => {
  let servers: ChannelServers
  let model: ModelServer
  let apps: Apps
  let speak: () => void

  beforeAll(async () => {
    model = await startModelServer()
  })
  beforeAll(async () => {
    servers = await startChannelServers()
  })
  afterAll(async () => {
    await servers.close()
    await model.close()
  })
  const product = useProduct(database, () => ({
    clock: new TestClock(Date.UTC(2027, 0, 5, 10)),
    settings: {
      ALLOW_PRIVATE_TARGETS: 'true',
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'small',
    },
  }))
  beforeEach(async () => {
    const spoken = Promise.withResolvers<void>()
    speak = spoken.resolve
    model.calls.length = 0
    servers.delivered.length = 0
    model.act = async () => {
      await spoken.promise
      return { text: ['Dokuzda ', 'açıyoruz.'] }
    }
    apps = await openApps(product, servers)
  })

  async function expectNothingOf(...texts: string[]): Promise<void> {
    const tables = [
      'sessions',
      'messages',
      'channel_contacts',
      'channel_messages',
      'inbound_events',
      'idempotency',
      'deliveries',
    ] as const
    for (const table of tables) {
      const rows = await product.ctx.db
        .selectFrom(table)
        .selectAll()
        .where('workspace_id', '=', apps.workspace.id)
        .execute()
      for (const text of texts) expect(JSON.stringify(rows), table).not.toContain(text)
    }
  }
  const heldCredits = async () =>
    (await product.call<CreditsAnswer>('/api/v1/credits', { token: apps.workspace.token })).body
      .held

  test('leaves nothing of what they wrote in a messaging app, and gets no answer any more', async () => {
    await tell(product, apps.whatsapp, whatsappText(NUMBER, `${SECRET} bir`))
    await model.waitFor(1)
    await tell(product, apps.whatsapp, whatsappText(NUMBER, `${SECRET} iki`))
    const [session] = await product.ctx.db
      .selectFrom('sessions')
      .select('visitor_id')
      .where('workspace_id', '=', apps.workspace.id)
      .execute()
    const exported = await product.call(`/api/v1/visitors/${session?.visitor_id}/export`, {
      token: apps.workspace.token,
    })
    expect(exported.body).toMatchObject({ contacts: [{ kind: 'whatsapp', contact: NUMBER }] })
    const erased = await product.call(`/api/v1/visitors/${session?.visitor_id}`, {
      method: 'DELETE',
      token: apps.workspace.token,
    })
    expect(erased.status).toBe(204)
    await expectNothingOf(SECRET, NUMBER)
    speak()
    await expect.poll(heldCredits).toBe(0)
    await expect.poll(() => apps.waiting()).toEqual([])
    await expectNothingOf(SECRET, NUMBER)
    expect(servers.delivered).toEqual([])
    expect(await apps.inbox()).toEqual([])
  })

  test('leaves nothing on the site either, and the site pays nothing for it', async () => {
    const { workspace } = apps
    const visitor = await addVisitor(product, workspace)
    const asked = product.call<Problem>('/api/v1/chatbot/message', {
      token: visitor,
      body: { tenant_id: workspace.tenantId, message: `${SECRET} üç` },
      headers: { 'x-request-id': 'asked-and-erased' },
    })
    await model.waitFor(1)
    const [session] = await apps.inbox()
    const path = `/api/v1/chatbot/sessions/${session?.session_id}`
    expect((await product.call(path, { method: 'DELETE', token: visitor })).status).toBe(204)
    speak()
    const { status, body } = await asked
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect(await heldCredits()).toBe(0)
    await expectNothingOf(SECRET, 'Dokuzda')
  })
})
