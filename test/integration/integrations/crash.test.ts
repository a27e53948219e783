import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreatedIntegration } from '../../helpers/answers.ts'
import {
  ACCESS_TOKEN,
  type ChannelServers,
  startChannelServers,
} from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../../helpers/process.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  callOver,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { whatsappText } from './notifications.ts'
import { openIntegration, pathOf, signed, tell } from './setup.ts'

const SETTINGS = { ALLOW_PRIVATE_TARGETS: 'true', LIMIT_HOOKS: '0' }
const PEOPLE = 30
const DELIVERED_BEFORE_CRASH = 8
/** So many messages are on their way at once. */
const MAX_CONCURRENCY = 16
/** The leases of another process have expired by then. */
const LEASES_MS = 4 * 60_000

describeOnBothDatabases('after kill -9 in the middle of a conversation', (database) => {
  let place: DatabasePlace
  let servers: ChannelServers
  let product: StartedProduct
  let workspace: TestWorkspace
  let whatsapp: CreatedIntegration
  const notifications = Array.from({ length: PEOPLE }, (_, at) =>
    whatsappText(`90532000${at}`, 'Merhaba, açık mısınız?', `wamid.crash${at}`),
  )
  const accepted = new Set<number>()

  beforeAll(async () => {
    servers = await startChannelServers()
    place = await database.create()
    const first = await startTestProduct(place, { settings: SETTINGS })
    workspace = await addWorkspace(first)
    whatsapp = await openIntegration(first, workspace, 'whatsapp', {
      phone_number_id: '106540352242922',
      access_token: ACCESS_TOKEN,
      api_base_url: servers.url,
    })
    await first.stop()
    await writeAndKill(await startTestProcess(place, SETTINGS))
    const ahead = database.kind === 'postgres' ? LEASES_MS : 0
    const clock = new TestClock(Date.now() + ahead)
    product = await startTestProduct(place, { settings: SETTINGS, clock })
  })
  afterAll(async () => {
    await product.stop()
    await servers.close()
  })

  async function writeAndKill(running: TestProcess): Promise<void> {
    const ended = once(running.child, 'exit')
    const watch = setInterval(() => {
      if (servers.delivered.length >= DELIVERED_BEFORE_CRASH) running.child.kill('SIGKILL')
    }, 1)
    await Promise.all(
      notifications.map(async (body, at) => {
        const raw = JSON.stringify(body)
        const headers = signed.whatsapp(whatsapp.secret, raw)
        const call = { method: 'POST', raw, headers }
        const answer = await callOver(running.url, pathOf(whatsapp), call).catch(() => undefined)
        if (answer?.status === 200) accepted.add(at)
      }),
    )
    await ended
    clearInterval(watch)
  }

  test('everybody whose message was accepted is answered, and nobody is written down twice', async () => {
    expect(accepted.size).toBeGreaterThanOrEqual(DELIVERED_BEFORE_CRASH)
    const reached = () => new Set(servers.delivered.map(({ to }) => to)).size
    await expect.poll(reached).toBeGreaterThanOrEqual(accepted.size)
    // The provider sends again what it had no answer for, and more.
    for (const body of notifications) {
      expect((await tell(product, whatsapp, body)).status).toBe(200)
    }
    await expect.poll(reached).toBe(PEOPLE)
    const { db } = product.ctx
    const waiting = async () =>
      (
        await db
          .selectFrom('channel_messages')
          .select('id')
          .where('state', '=', 'waiting')
          .execute()
      ).length
    await expect.poll(waiting).toBe(0)
    const messages = await db
      .selectFrom('messages')
      .select(['role'])
      .where('workspace_id', '=', workspace.id)
      .execute()
    const count = (role: string) => messages.filter((message) => message.role === role).length
    expect({ visitor: count('visitor'), assistant: count('assistant') }).toEqual({
      visitor: PEOPLE,
      assistant: PEOPLE,
    })
    // A message in flight to the provider when the process died is sent once more at most.
    expect(servers.delivered.length).toBeLessThanOrEqual(PEOPLE + MAX_CONCURRENCY)
  })
})
