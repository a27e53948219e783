import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { OpenedTurn, TurnOpening } from '../../../server/chat/turn/opening.ts'
import { concludeTurn } from '../../../server/chat/turn/settlement.ts'
import { readCredits } from '../../../server/credits/ledger.ts'
import type { UnansweredQuestion } from '../../../server/knowledge/schema.ts'
import { newId } from '../../../server/lib/ids.ts'
import { PostgresConnection } from '../../../server/storage/postgres/connection.ts'
import { SqliteConnection } from '../../../server/storage/sqlite/connection.ts'
import { findTenant } from '../../../server/tenants/tenants.ts'
import type { Page } from '../../helpers/answers.ts'
import { type TestDatabase, describeOnBothDatabases, useDatabase } from '../../helpers/databases.ts'
import {
  type StartedProduct,
  type TestProduct,
  type TestWorkspace,
  addDocument,
  addVisitor,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { startDatabaseProxy } from '../../helpers/servers/database-proxy.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { NAME, execute, openPromptWorkspace, startPromptProduct } from '../prompts/setup.ts'

/** Enough for each connection to have prepared its statements, and for a call beside no job. */
const TIMES = 8
/** Turns of a workspace that begin together. */
const TOGETHER = 24
/** A transaction has two; connections may have to learn its statements, and jobs of the clock add some. */
const MAX_ROUND_TRIPS = 12
const QUESTION = 'How long does the delivery take?'

/** An answer of the bot that it does not know. */
const UNKNOWN = {
  content: 'I do not know that.',
  end: {
    usage: { inputTokens: 1, outputTokens: 1 },
    used: [],
    confidence: 0,
    isUnknown: true,
  },
  hits: [],
}

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

/** Returns a visitor's message, from which a turn opens. */
async function openingOf(
  { ctx }: TestProduct,
  { id: workspaceId, tenantId }: TestWorkspace,
): Promise<TurnOpening> {
  const tenant = await findTenant(ctx.db, tenantId)
  if (!tenant) throw new Error('The workspace has a tenant.')
  return {
    caller: { kind: 'visitor', id: newId('vis'), workspaceId, tenantId, expiresAt: Infinity },
    tenant,
    input: { tenant_id: tenantId, message: QUESTION },
    key: undefined,
    max: 2_000,
    client: undefined,
    received: undefined,
    hasModel: false,
  }
}

/** Opens turns at the same time, of one site after the other. */
function openTogether(
  { ctx }: TestProduct,
  { id }: TestWorkspace,
  openings: readonly TurnOpening[],
): Promise<OpenedTurn[]> {
  const all = Array.from({ length: TOGETHER / openings.length }, () => openings).flat()
  return Promise.all(all.map((opening) => ctx.turns.opening.run(ctx, id, opening)))
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

    test('is shared by turns that begin or are abandoned together, also of one visitor', async () => {
      const place = await database.create()
      const proxy = await startDatabaseProxy(place.databaseUrl ?? '')
      stops.unshift(() => proxy.stop())
      const product = await startTestProduct({ ...place, databaseUrl: proxy.url })
      stops.push(() => product.stop())
      const workspace = await addWorkspace(product, { credits: 10_000 })
      const opening = await openingOf(product, workspace)
      proxy.takeRoundTrips()
      const opened = await openTogether(product, workspace, [opening])
      expect(proxy.takeRoundTrips()).toBeLessThan(MAX_ROUND_TRIPS)
      expect(new Set(opened.map((turn) => 'hold' in turn && turn.hold.id)).size).toBe(TOGETHER)
      const { held } = await readCredits(product.ctx, workspace.id)
      expect(held).toBeGreaterThan(0)
      proxy.takeRoundTrips()
      await Promise.all(
        opened.flatMap((turn) =>
          'hold' in turn ? [product.ctx.turns.abandoning.run(product.ctx, workspace.id, turn)] : [],
        ),
      )
      expect(proxy.takeRoundTrips()).toBeLessThan(MAX_ROUND_TRIPS)
      expect((await readCredits(product.ctx, workspace.id)).held).toBe(0)
      await product.stop()
    })

    test('is shared by runs that fail together', async () => {
      const product = await startPromptProduct(await database.create())
      stops.push(() => product.stop())
      const workspace = await openPromptWorkspace(product)
      product.model.act = { status: 400 }
      const statements = vi.spyOn(PostgresConnection.prototype, 'executeQuery')
      onTestFinished(() => statements.mockRestore())
      const answers = await Promise.all(
        Array.from({ length: TOGETHER }, () =>
          execute(product, workspace, { prompt_id: 'greeting', ...NAME }),
        ),
      )
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['model_failed']))
      const releases = statements.mock.calls.filter(([{ sql }]) =>
        sql.includes('delete from holds'),
      )
      expect(releases.length).toBeLessThan(TOGETHER / 2)
      expect((await readCredits(product.ctx, workspace.id)).held).toBe(0)
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

describeOnBothDatabases('turns without an answer that end together', (database) => {
  const product = useProduct(database)
  const Connection = database.kind === 'sqlite' ? SqliteConnection : PostgresConnection
  /** Two wordings of each question, the later one last. */
  const wordings = [
    ['Which planet is the largest?', 'The largest planet, which is it?'],
    ['Who painted the sunflowers?', 'The sunflowers, painted by whom?'],
    ['Where do penguins sleep?', 'Penguins sleep where?'],
  ] as const

  test('write the questions of all sites with one statement, in the order of its keys', async () => {
    const { ctx } = product
    const workspace = await addWorkspace(product, { credits: 10_000 })
    const other = { ...workspace, tenantId: `${workspace.tenantId}-2` }
    const added = await product.call('/api/v1/tenants', {
      token: workspace.token,
      body: { tenant_id: other.tenantId, name: 'Another site', sector: 'saglik' },
    })
    expect(added.status, added.text).toBe(201)
    const sites = [await openingOf(product, workspace), await openingOf(product, other)]
    const opened = await openTogether(product, workspace, sites)
    const statements = vi.spyOn(Connection.prototype, 'executeQuery')
    onTestFinished(() => statements.mockRestore())
    await Promise.all(
      opened.map((turn, at) => {
        if (!('hold' in turn)) throw new Error('The bot answers the turn.')
        const question = wordings[at % wordings.length]?.[at < TOGETHER / 2 ? 0 : 1] ?? ''
        const settlement = concludeTurn(ctx, turn, { ...UNKNOWN, question })
        return ctx.turns.settling.run(ctx, workspace.id, settlement)
      }),
    )
    const writes = statements.mock.calls.flatMap(([query]) =>
      query.sql.includes('into unanswered_questions') ? [query] : [],
    )
    expect(writes).toHaveLength(1)
    const values = writes.flatMap(({ parameters }) => parameters.flat())
    const fingerprints = values.filter((value) => /^[\w-]{43}$/.test(String(value)))
    const keys = values
      .filter((value) => value === workspace.tenantId || value === other.tenantId)
      .map((tenantId, at) => `${String(tenantId)} ${String(fingerprints[at])}`)
    expect(new Set(keys).size).toBe(2 * wordings.length)
    expect(keys).toEqual(keys.toSorted((one, next) => (one < next ? -1 : 1)))
    for (const { tenantId } of [workspace, other]) {
      const { body } = await product.call<Page<UnansweredQuestion>>(
        `/api/v1/tenants/${tenantId}/unanswered`,
        { token: workspace.token },
      )
      const counts = new Map(body.data.map(({ question, count }) => [question, count]))
      expect(counts).toEqual(
        new Map(wordings.map(([, latest]) => [latest, TOGETHER / wordings.length / 2])),
      )
    }
  })
})
