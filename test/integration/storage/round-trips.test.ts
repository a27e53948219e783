import { afterAll, describe, expect, test, vi } from 'vitest'
import type { TurnOpening } from '../../../server/chat/turn/opening.ts'
import { newId } from '../../../server/lib/ids.ts'
import { SqliteConnection } from '../../../server/storage/sqlite/connection.ts'
import { findTenant } from '../../../server/tenants/tenants.ts'
import { type TestDatabase, useDatabase } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  type TestProduct,
  addDocument,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startDatabaseProxy } from '../../helpers/servers/database-proxy.ts'
import { NAME, execute, openPromptWorkspace, startPromptProduct } from '../prompts/setup.ts'

/** Enough for each connection to have prepared its statements, and for a call beside no job. */
const TIMES = 8
/** Turns of a workspace that begin together. */
const TOGETHER = 24
/** A transaction has two; connections may have to learn its statements, and jobs of the clock add some. */
const MAX_ROUND_TRIPS = 12
const QUESTION = 'How long does the delivery take?'

type Call = () => Promise<{ status: number }>

/** The kinds of a turn, in a workspace without webhooks. */
async function openTurns(product: TestProduct): Promise<Record<string, Call>> {
  const workspace = await addWorkspace(product, { tenant: { daily_credit_cap: 1_000 } })
  await addDocument(product, workspace, {
    title: 'Delivery',
    content: '# Delivery\n\nThe delivery takes three days within the country.',
  })
  const token = await addVisitor(product, workspace)
  let sent = 0
  const ask = (message: string, more = {}, headers = {}) =>
    product.call<{ session_id: string }>('/api/v1/chatbot/message', {
      token,
      body: { tenant_id: workspace.tenantId, message, ...more },
      headers,
    })
  const { session_id } = (await ask(QUESTION)).body
  return {
    first: () => ask(QUESTION),
    unanswered: () => ask('Which planet is the largest of all?'),
    further: () => ask(QUESTION, { session_id }),
    repeatable: () => ask(QUESTION, {}, { 'x-request-id': `turn-${(sent += 1)}` }),
  }
}

/** Returns the least that each call cost: jobs of the clock add to some. */
async function leastCosts(
  calls: Record<string, Call>,
  take: () => number,
): Promise<Record<string, number>> {
  const least: Record<string, number> = {}
  for (const [name, call] of Object.entries(calls)) {
    const costs: number[] = []
    for (let time = 0; time < TIMES; time += 1) {
      take()
      expect((await call()).status).toBe(200)
      costs.push(take())
    }
    least[name] = Math.min(...costs)
  }
  return least
}

/** Starts the product and the product in front of a model, and measures turns and a prompt run. */
async function measure(
  open: () => ReturnType<TestDatabase['create']>,
  take: () => number,
  stops: (() => Promise<unknown>)[],
): Promise<Record<string, number>> {
  const product: StartedProduct = await startTestProduct(await open())
  stops.push(() => product.stop())
  const turns = await leastCosts(await openTurns(product), take)
  await product.stop()
  const runs = await startPromptProduct(await open())
  stops.push(() => runs.stop())
  const workspace = await openPromptWorkspace(runs)
  const run = () => execute(runs, workspace, { prompt_id: 'greeting', ...NAME })
  return { ...turns, ...(await leastCosts({ run }, take)) }
}

describe('what a turn and a run cost', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    vi.restoreAllMocks()
    for (const stop of stops.toReversed()) await stop()
  })

  describe('on Postgres', () => {
    const database = useDatabase('postgres')

    test('is a few round trips', async () => {
      const proxies: Awaited<ReturnType<typeof startDatabaseProxy>>[] = []
      const open = async () => {
        const place = await database.create()
        const proxy = await startDatabaseProxy(place.databaseUrl ?? '')
        proxies.push(proxy)
        stops.unshift(() => proxy.stop())
        return { ...place, databaseUrl: proxy.url }
      }
      const take = () => proxies.reduce((sum, proxy) => sum + proxy.takeRoundTrips(), 0)
      expect(await measure(open, take, stops)).toEqual({
        first: 6,
        unanswered: 6,
        further: 7,
        repeatable: 7,
        run: 4,
      })
    })

    test('is shared by turns that begin together, also of one visitor', async () => {
      const place = await database.create()
      const proxy = await startDatabaseProxy(place.databaseUrl ?? '')
      stops.unshift(() => proxy.stop())
      const product = await startTestProduct({ ...place, databaseUrl: proxy.url })
      stops.push(() => product.stop())
      const { ctx } = product
      const { id: workspaceId, tenantId } = await addWorkspace(product, { credits: 10_000 })
      const tenant = await findTenant(ctx.db, tenantId)
      if (!tenant) throw new Error('The workspace has a tenant.')
      const opening: TurnOpening = {
        caller: { kind: 'visitor', id: newId('vis'), workspaceId, tenantId, expiresAt: Infinity },
        tenant,
        input: { tenant_id: tenantId, message: QUESTION },
        key: undefined,
        max: 2_000,
        client: undefined,
        received: undefined,
        hasModel: false,
      }
      proxy.takeRoundTrips()
      const opened = await Promise.all(
        Array.from({ length: TOGETHER }, () => ctx.turns.opening.run(ctx, workspaceId, opening)),
      )
      expect(proxy.takeRoundTrips()).toBeLessThan(MAX_ROUND_TRIPS)
      expect(new Set(opened.map((turn) => 'hold' in turn && turn.hold.id)).size).toBe(TOGETHER)
      await product.stop()
    })
  })

  describe('on SQLite', () => {
    const database = useDatabase('sqlite')

    test('is a few statements', async () => {
      const statements = vi.spyOn(SqliteConnection.prototype, 'executeQuery')
      const take = () => {
        const { calls } = statements.mock
        const count = calls.filter(([{ sql }]) => sql !== '').length
        statements.mockClear()
        return count
      }
      expect(await measure(() => database.create(), take, stops)).toEqual({
        first: 25,
        unanswered: 26,
        further: 28,
        repeatable: 29,
        run: 13,
      })
    })
  })
})
