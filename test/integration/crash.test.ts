import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HistoryMessage, Turn } from '../../server/chat/schema.ts'
import { releaseLapsedHolds } from '../../server/credits/lapsed-holds.ts'
import type { Lead } from '../../server/leads/schema.ts'
import type { Page } from '../helpers/answers.ts'
import { TestClock } from '../helpers/clock.ts'
import { type DatabasePlace, describeOnBothDatabases } from '../helpers/databases.ts'
import { type TestProcess, startTestProcess } from '../helpers/process.ts'
import {
  type StartedProduct,
  type TestWorkspace,
  addVisitor,
  callOver,
  addWorkspace,
  startTestProduct,
} from '../helpers/product.ts'
import { type Receiver, startReceiver } from '../helpers/servers/receiver.ts'
import { expectExact, freshToken } from './credits/ledger.ts'

const CRASHES = 3
const WRITERS = 6
/** Each crash comes after so many answers, with more under way. */
const ANSWERS_BEFORE_CRASH = 40
const PRIVATE = { ALLOW_PRIVATE_TARGETS: 'true' }

describeOnBothDatabases('after kill -9 under load, again and again', (database) => {
  const turns = new Map<string, Turn>()
  const leads: Lead[] = []
  const cutOff: string[] = []
  let place: DatabasePlace
  let receiver: Receiver
  let workspace: TestWorkspace
  let visitor: string
  let product: StartedProduct
  let clock: TestClock

  beforeAll(async () => {
    place = await database.create()
    receiver = await startReceiver()
    const first = await startTestProduct(place, { settings: PRIVATE })
    workspace = await addWorkspace(first)
    visitor = await addVisitor(first, workspace)
    for (const event of ['session.started', 'lead.created']) {
      const rule = { name: event, event, url: receiver.url }
      await first.call('/api/v1/webhooks/rules-engine/rules', {
        token: workspace.token,
        body: rule,
      })
    }
    await first.stop()
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await loadAndKill(await startTestProcess(place, PRIVATE), crash)
    }
    // Jobs of another process on Postgres are taken over once its leases have expired.
    clock = new TestClock(Date.now() + (database.kind === 'postgres' ? 120_000 : 0))
    product = await startTestProduct(place, { clock, settings: PRIVATE })
    if (database.kind === 'postgres') await releaseLapsedHolds(product.ctx)
  })
  afterAll(async () => {
    await product.stop()
    await receiver.close()
  })

  async function loadAndKill(running: TestProcess, crash: number): Promise<void> {
    let answers = 0
    const killed = new AbortController()
    const ended = once(running.child, 'exit')
    const answered = () => {
      answers += 1
      if (answers !== ANSWERS_BEFORE_CRASH) return
      running.child.kill('SIGKILL')
      killed.abort()
    }
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let count = 1; !killed.signal.aborted; count += 1) {
          await visit(running.url, `${crash}-${writer}-${count}`, answered).catch(() => undefined)
        }
      }),
    )
    await ended
  }

  /** A visitor asks, then leaves a name: what was answered is written down before anything else. */
  async function visit(url: string, id: string, answered: () => void): Promise<void> {
    const headers = { 'x-request-id': id }
    const body = { tenant_id: workspace.tenantId, message: `Hello ${id}` }
    cutOff.push(id)
    const turn = await callOver<Turn>(url, '/api/v1/chatbot/message', {
      token: visitor,
      headers,
      body,
    })
    if (turn.status !== 200) throw new Error(`It answered ${turn.status}: ${turn.text}`)
    turns.set(id, turn.body)
    cutOff.splice(cutOff.indexOf(id), 1)
    answered()
    const lead = await callOver<Lead>(
      url,
      `/api/v1/chatbot/sessions/${turn.body.session_id}/lead`,
      {
        token: visitor,
        headers,
        body: { name: `Visitor ${id}`, phone: '+90 532 123 45 67', email: 'a@example.com' },
      },
    )
    if (lead.status !== 201) throw new Error(`It answered ${lead.status}: ${lead.text}`)
    leads.push(lead.body)
    answered()
  }

  test('every question that was answered is in the history, with its answer', async () => {
    expect(turns.size).toBeGreaterThan(CRASHES * 10)
    for (const { session_id, message_id, reply } of turns.values()) {
      const { body } = await product.call<Page<HistoryMessage>>(
        `/api/v1/chatbot/sessions/${session_id}/messages`,
        { token: visitor },
      )
      expect(body.data.map((message) => message.message_id)).toEqual([
        message_id,
        reply?.message_id,
      ])
    }
  })

  test('every answered question was paid for once, and nothing else was', async () => {
    const { db } = product.ctx
    const answers = await db
      .selectFrom('messages')
      .select('id')
      .where('role', '=', 'assistant')
      .execute()
    const paid = await db.selectFrom('ledger').select('id').where('type', '=', 'settle').execute()
    expect(paid.length).toBe(answers.length)
    expect(answers.length).toBeGreaterThanOrEqual(turns.size)
    const credits = await expectExact(product, workspace)
    expect(credits).toMatchObject({ held: 0, remaining: 20_000 - answers.length })
  })

  test('who asks again under the same id gets the same answer, and who was cut off gets one', async () => {
    const again = (id: string) =>
      product.call<Turn>('/api/v1/chatbot/message', {
        token: visitor,
        headers: { 'x-request-id': id },
        body: { tenant_id: workspace.tenantId, message: `Hello ${id}` },
      })
    for (const [id, turn] of turns) {
      const replay = await again(id)
      expect(replay.headers.get('idempotent-replayed')).toBe('true')
      expect(replay.body).toMatchObject(turn)
    }
    for (const id of cutOff) expect((await again(id)).status).toBe(200)
    await expectExact(product, workspace)
  })

  test('every lead is there, and each event arrives, under one id however often', async () => {
    const { db } = product.ctx
    const token = await freshToken(product, workspace)
    const kept = await db.selectFrom('leads').select('id').execute()
    const sessions = await db.selectFrom('sessions').select('id').execute()
    const wanted = new Set([...kept, ...sessions].map(({ id }) => id))
    for (const { lead_id } of leads) {
      expect(wanted.has(lead_id)).toBe(true)
      expect((await product.call(`/api/v1/leads/${lead_id}`, { token })).status).toBe(200)
    }
    const arrived = () =>
      new Set(
        receiver.received.map(({ body }) => {
          const { data } = JSON.parse(body)
          return data.lead_id ?? data.session_id
        }),
      )
    const missing = () => {
      clock.move(1_000)
      return [...wanted.difference(arrived())]
    }
    await expect.poll(missing, { interval: 100 }).toEqual([])
    expect(arrived().difference(wanted).size).toBe(0)
    const bodies = new Map<string, string>()
    for (const { body } of receiver.received) {
      const { webhook_id } = JSON.parse(body)
      expect(bodies.get(webhook_id) ?? body).toBe(body)
      bodies.set(webhook_id, body)
    }
    expect(bodies.size).toBe(wanted.size)
  })
})
