import { expect, onTestFinished, test } from 'vitest'
import { BOT_TOKEN, startChannelServers } from '../../helpers/servers/channel-servers.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { EVERY_HOSTILE_URL } from '../../helpers/hostile/urls.ts'
import { addWorkspace, startTestProduct } from '../../helpers/product.ts'
import { telegramText } from './notifications.ts'
import { openIntegration, tell } from './setup.ts'

describeOnDatabase('the address of a messaging app or a model', (database) => {
  async function start(settings: Record<string, string>, place: Place) {
    const product = await startTestProduct(place, { settings })
    onTestFinished(() => product.stop())
    return product
  }
  type Place = Awaited<ReturnType<typeof database.create>>

  test('is refused whatever the way is in which it aims at an inner network', async () => {
    const product = await start({}, await database.create())
    const { token, tenantId: tenant_id } = await addWorkspace(product)
    const accepted: string[] = []
    for (const base of EVERY_HOSTILE_URL) {
      const settings = { access_token: 'a token of Meta', api_base_url: base }
      const model = { provider: 'openai-compatible', model: 'small', base_url: base }
      const answers = await Promise.all([
        product.call('/api/v1/integrations', {
          token,
          body: { kind: 'whatsapp', tenant_id, settings },
        }),
        product.call('/api/v1/workspace', { method: 'PATCH', token, body: { model } }),
      ])
      if (answers.some(({ status }) => status !== 422)) accepted.push(base)
    }
    expect(accepted).toEqual([])
  })

  test('is judged at each call, too: what was saved under looser settings is not called', async () => {
    const servers = await startChannelServers()
    onTestFinished(() => servers.close())
    const place = await database.create()
    const loose = await start({ ALLOW_PRIVATE_TARGETS: 'true' }, place)
    const workspace = await addWorkspace(loose)
    const app = await openIntegration(loose, workspace, 'telegram', {
      bot_token: BOT_TOKEN,
      api_base_url: servers.url,
    })
    await tell(loose, app, telegramText(7_001, 'Merhaba'))
    await expect.poll(() => servers.calls.length).toBeGreaterThan(0)
    await loose.stop()
    const before = servers.calls.length

    const strict = await start({}, place)
    await tell(strict, app, telegramText(7_002, 'Merhaba'))
    const refused = () =>
      strict.ctx.db
        .selectFrom('channel_messages')
        .select('id')
        .where('workspace_id', '=', workspace.id)
        .where('state', '=', 'failed')
        .execute()
    await expect.poll(refused).toHaveLength(1)
    expect(servers.calls).toHaveLength(before)
  })
})
