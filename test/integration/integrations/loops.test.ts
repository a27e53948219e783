import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChannelServers, startChannelServers } from '../../helpers/servers/channel-servers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { QUESTION, openApps } from './apps.ts'
import { whatsappText } from './notifications.ts'
import { tell } from './setup.ts'

describeOnDatabase('a program that answers whatever it is told', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 5, 10))
  let servers: ChannelServers
  beforeAll(async () => {
    servers = await startChannelServers()
  })
  afterAll(() => servers.close())
  const product = useProduct(database, {
    clock,
    settings: { ALLOW_PRIVATE_TARGETS: 'true', LIMIT_MESSAGE: '3' },
  })

  test('is answered as often as a visitor may write in a minute, and kept in the inbox', async () => {
    const apps = await openApps(product, servers)
    for (let count = 0; count < 6; count += 1) {
      await tell(product, apps.whatsapp, whatsappText('905', `${QUESTION} ${count}`))
    }
    await expect.poll(async () => (await apps.inbox()).length).toBe(1)
    const [session] = await apps.inbox()
    const said = () => apps.said(session?.session_id ?? '')
    const rolesOf = async () => (await said()).map(({ role }) => role)
    const countOf = async (role: string) => (await rolesOf()).filter((one) => one === role).length
    await expect.poll(() => countOf('visitor')).toBe(6)
    await expect.poll(() => apps.waiting()).toEqual([])
    expect(await countOf('assistant')).toBe(3)
    clock.move(61_000)
    await tell(product, apps.whatsapp, whatsappText('905', QUESTION))
    await expect.poll(() => countOf('assistant')).toBe(4)
  })
})
