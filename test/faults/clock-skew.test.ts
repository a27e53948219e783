import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startModelServer } from '../helpers/servers/model-server.ts'
import { startReceiver } from '../helpers/servers/receiver.ts'
import { NAME, addPrompt, modelSettings } from '../integration/prompts/setup.ts'
import { callsOf, startCluster } from './cluster.ts'
import { ask } from './traffic.ts'

const SKEW_SECONDS = 120
/** Runs and deliveries take so long: at all times some are under way, and jobs look for lapsed leases. */
const SLOW_MS = 2_500
const ROUNDS = 8
const POLL = { timeout: 60_000, interval: 50 }
const SECRET = 'a secret of at least thirty-two characters'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

/** The settings by which a process sees another time of day than its machine; timers stay as they are. */
function skewedBy(seconds: number): Record<string, string> {
  const program = process.env.TEST_FAKETIME ?? 'faketime'
  const time = `${seconds < 0 ? '' : '+'}${seconds}s`
  const printed = execFileSync(program, ['-f', time, 'env'], { encoding: 'utf8' })
  const library = /^LD_PRELOAD=(.+)$/m.exec(printed)?.[1]
  if (library === undefined) throw new Error('faketime names no library.')
  return { LD_PRELOAD: library, FAKETIME: time, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

test('clocks two minutes ahead and behind fail no run and deliver nothing twice', async () => {
  const model = await startModelServer(async () => {
    await wait(SLOW_MS)
    return { text: ['Hello'] }
  })
  stops.push(() => model.close())
  const receiver = await startReceiver(async () => {
    await wait(SLOW_MS)
    return 200
  })
  stops.push(() => receiver.close())
  const cluster = await startCluster(3, {
    settings: { ...modelSettings(model), LIMIT_EXECUTE: '0', ALLOW_PRIVATE_TARGETS: 'true' },
    own: [{}, skewedBy(SKEW_SECONDS), skewedBy(-SKEW_SECONDS)],
  })
  stops.push(() => cluster.stop())
  const urls = cluster.processes.map(({ url }) => url)
  const ready = urls.map(async (url) => (await callsOf(url).call('/health/ready')).status)
  // Proxies send nothing to a process whose clock is wrong; what it does all the same is right.
  expect(await Promise.all(ready)).toEqual([200, 503, 503])

  const [customer] = await cluster.addCustomers(1)
  if (!customer) throw new Error('No workspace was added.')
  const first = callsOf(urls[0] ?? '')
  await addPrompt(first, customer)
  const subscribed = await first.call('/api/v1/webhooks', {
    token: customer.token,
    body: { url: receiver.url, events: ['chatbot.message'], secret: SECRET },
  })
  expect(subscribed.status, subscribed.text).toBe(201)

  const runs: number[] = []
  let asked = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      urls.flatMap((url) => [
        callsOf(url).call('/api/v1/prompts/execute', {
          token: customer.token,
          body: { prompt_id: 'greeting', ...NAME },
        }),
        ask(url, customer),
      ]),
    )
    runs.push(...answers.map(({ status }) => status))
    asked += urls.length
  }
  expect(runs).toEqual(runs.map(() => 200))

  const ids = () =>
    receiver.received
      .filter(({ headers }) => headers['x-svc-event'] !== 'ping')
      .map(({ headers }) => headers['webhook-id'])
  await expect.poll(() => new Set(ids()).size, POLL).toBe(asked)
  const leftOver = () => cluster.postgres.query('select id from deliveries')
  await expect.poll(leftOver, POLL).toEqual([])
  expect(ids()).toHaveLength(asked)
  const wrong = await cluster.postgres.query(`
    select workspace_id from balances join ledger using (workspace_id)
    group by workspace_id, monthly, addons, held
    having monthly + addons - held <> sum(amount) or held <> 0`)
  expect(wrong).toEqual([])
})
