import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as setImmediateAsync } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import type { Problem } from '../../helpers/answers.ts'
import { describeOnDatabase, describeOnPostgres } from '../../helpers/databases.ts'
import {
  METRICS_TOKEN,
  OPERATOR_TOKEN,
  type StartedProduct,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { startModelServer } from '../../helpers/servers/model-server.ts'

const MESSAGE = '/api/v1/chatbot/message'
const CAPACITY = 4
const LIMITED = { LIMIT_IN_FLIGHT: String(CAPACITY), LOG_LEVEL: 'silent' }

async function inFlight(product: StartedProduct): Promise<number> {
  const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
  return Number(/^sohbet_http_in_flight\{bulkhead="traffic"\} (\d+)$/m.exec(text)?.[1])
}

describeOnPostgres('a process whose work does not end', (database) => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  test('refuses more before it authenticates, keeps room for the rest, and recovers', async () => {
    const place = await database.create()
    const product = await startTestProduct(place, { settings: LIMITED })
    stops.push(() => product.stop())
    const workspace = await addWorkspace(product)
    const visitor = await addVisitor(product, workspace)
    const body = { tenant_id: workspace.tenantId, message: 'Hello?' }
    const admin = new pg.Client({ connectionString: place.databaseUrl })
    await admin.connect()
    stops.push(() => admin.end())

    await admin.query('begin')
    await admin.query('lock table messages in exclusive mode')
    const held = Array.from({ length: CAPACITY }, () =>
      product.call<Problem>(MESSAGE, { token: visitor, body }),
    )
    await expect.poll(() => inFlight(product)).toBe(CAPACITY)

    const refusals = await Promise.all(
      Array.from({ length: 5 * CAPACITY }, (_, index) =>
        product.call<Problem>(MESSAGE, { token: index % 2 ? visitor : 'no token', body }),
      ),
    )
    expect(new Set(refusals.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(
      new Set(['503 overloaded']),
    )
    expect(refusals.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
    const others = await Promise.all([
      product.call('/health/live'),
      product.call('/health/ready'),
      product.call('/api/v1/auth/me', { token: workspace.token }),
      product.call('/api/v1/inbox', { token: workspace.token }),
      product.call('/api/v1/operator/workspaces', { token: OPERATOR_TOKEN }),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])

    await admin.query('rollback')
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await product.call(MESSAGE, { token: visitor, body })).status).toBe(200)
    const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
    expect(text).toContain('sohbet_http_shed_total{bulkhead="traffic",reason="in_flight"} 20')
    await expect.poll(() => inFlight(product)).toBe(0)
  })
})

describeOnDatabase('requests that wait for a model', (database) => {
  test('do not count as load', async () => {
    const gate = Promise.withResolvers<void>()
    const model = await startModelServer(async () => {
      await gate.promise
      return { text: ['Hello'] }
    })
    const product = await startTestProduct(await database.create(), {
      settings: {
        ...LIMITED,
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: model.url,
        MODEL_NAME: 'test',
      },
    })
    try {
      const workspace = await addWorkspace(product)
      const visitor = await addVisitor(product, workspace)
      const runs = []
      for (let count = 1; count <= 3 * CAPACITY; count += 1) {
        const body = { tenant_id: workspace.tenantId, message: `What is number ${count}?` }
        runs.push(product.call(MESSAGE, { token: visitor, body }))
        await model.waitFor(count)
      }
      gate.resolve()
      const statuses = (await Promise.all(runs)).map(({ status }) => status)
      expect(statuses).toEqual(Array.from({ length: 3 * CAPACITY }, () => 200))
    } finally {
      gate.resolve()
      await product.stop()
      await model.close()
    }
  })
})

const RUSH = 512
/** Opens the connections and ends, by which they stay to be accepted. */
const OPEN_CONNECTIONS = `
  const { connect } = require('node:net')
  let open = 0
  for (let at = 0; at < ${RUSH}; at += 1) {
    connect(Number(process.argv[1]), '127.0.0.1', () => (open += 1) === ${RUSH} && process.exit())
  }
`

describeOnDatabase('a process whose event loop was busy', (database) => {
  const product = useProduct(database)

  test.runIf(process.platform === 'linux')('accepts many connections in each turn', async () => {
    const accepted: unknown[] = []
    const note = (message: unknown) => accepted.push(message)
    subscribe('net.server.socket', note)
    // The event loop of this process, which is that of the product, stands still.
    spawnSync(process.execPath, ['--eval', OPEN_CONNECTIONS, new URL(product.url).port])
    let turns = 0
    for (; accepted.length < RUSH; turns += 1) await setImmediateAsync()
    unsubscribe('net.server.socket', note)
    expect(turns).toBeLessThan(RUSH / 8)
    expect((await product.call('/health/live')).status).toBe(200)
  })
})
