import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import type { Session } from '../../../server/chat/schema.ts'
import type { InboxSession } from '../../../server/inbox/schema.ts'
import type { Page } from '../../helpers/answers.ts'
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
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { ALWAYS_OPEN } from '../security/access/filled-workspace.ts'

const SETTINGS = { ALLOW_PRIVATE_TARGETS: 'true' }
const PEOPLE = 40
const ANSWERS_BEFORE_CRASH = 25
/** Times that are not over when the next process comes. */
const HOUR_OF_SLOTS = 12
const RULES = '/api/v1/webhooks/rules-engine/rules'
const SESSIONS = '/api/v1/chatbot/sessions'

interface Told {
  event: string
  webhook_id: string
  data: { appointment_id: string; session_id: string }
}

describeOnBothDatabases('after kill -9 among bookings and wishes for a person', (database) => {
  let place: DatabasePlace
  let product: StartedProduct
  let workspace: TestWorkspace
  let receiver: Receiver
  const people: { session: string; start: string }[] = []
  const booked = new Map<number, Appointment>()
  const waiting = new Set<string>()

  beforeAll(async () => {
    receiver = await startReceiver()
    place = await database.create()
    const first = await startTestProduct(place, { settings: SETTINGS })
    workspace = await addWorkspace(first, {
      // Nobody answers, and the clock jumps.
      tenant: { ...ALWAYS_OPEN, slot_minutes: 5, handoff_timeout_seconds: 3_600 },
    })
    for (const event of ['appointment.created', 'handoff.requested']) {
      await call(first.url, RULES, { name: event, event, url: receiver.url })
    }
    const body = { tenant_id: workspace.tenantId }
    const sessions = await Promise.all(
      Array.from({ length: PEOPLE }, () => call<Session>(first.url, SESSIONS, body)),
    )
    const ids = sessions.map((session) => session.body.session_id)
    const free = await call<Slots>(first.url, `${SESSIONS}/${ids[0]}/slots`)
    for (const [at, session] of ids.entries()) {
      people.push({ session, start: free.body.data[at + HOUR_OF_SLOTS]?.start ?? '' })
    }
    await first.stop()
    await actAndKill(await startTestProcess(place, SETTINGS))
    // Leases of the dead process on Postgres have expired by then.
    const ahead = database.kind === 'postgres' ? 4 * 60_000 : 0
    product = await startTestProduct(place, {
      settings: SETTINGS,
      clock: new TestClock(Date.now() + ahead),
    })
  })
  afterAll(async () => {
    await product.stop()
    await receiver.close()
  })

  const call = <Body>(url: string, path: string, body?: object, id?: string) =>
    callOver<Body>(url, path, {
      token: workspace.token,
      ...(body ? { body } : {}),
      ...(id ? { headers: { 'x-request-id': id } } : {}),
    })

  const book = (url: string, at: number) => {
    const { session, start } = people[at] ?? { session: '', start: '' }
    const body = { start, name: `Visitor ${at}` }
    return call<Appointment>(url, `${SESSIONS}/${session}/appointment`, body, `booking-of-${at}`)
  }

  async function actAndKill(running: TestProcess): Promise<void> {
    const ended = once(running.child, 'exit')
    const answered = () => {
      if (booked.size + waiting.size === ANSWERS_BEFORE_CRASH) running.child.kill('SIGKILL')
    }
    await Promise.all(
      people.map(async ({ session }, at) => {
        const asked = await call(running.url, `${SESSIONS}/${session}/handoff`, {}).catch(
          () => undefined,
        )
        if (asked?.status === 200) waiting.add(session)
        answered()
        const made = await book(running.url, at).catch(() => undefined)
        if (made?.status === 201) booked.set(at, made.body)
        answered()
      }),
    )
    running.child.kill('SIGKILL')
    await ended
  }

  const told = (event: string): Told[] =>
    receiver.received.map(({ body }): Told => JSON.parse(body)).filter((one) => one.event === event)

  test('what was acknowledged is there, who asks again gets the same, and no time is given twice', async () => {
    expect(booked.size + waiting.size).toBeGreaterThanOrEqual(ANSWERS_BEFORE_CRASH)
    const again = await Promise.all(people.map((_, at) => book(product.url, at)))
    expect(again.map(({ status }) => status)).toEqual(people.map(() => 201))
    for (const [at, one] of booked) expect(again[at]?.body).toEqual(one)
    const list = await call<Page<Appointment>>(product.url, '/api/v1/appointments?limit=100')
    expect(new Set(list.body.data.map(({ start }) => start)).size).toBe(PEOPLE)
    expect(list.body.data.length).toBe(PEOPLE)
    const inbox = await call<Page<InboxSession>>(
      product.url,
      '/api/v1/inbox?state=waiting&limit=100',
    )
    const shown = new Set(inbox.body.data.map(({ session_id }) => session_id))
    expect([...waiting].filter((session) => !shown.has(session))).toEqual([])
  })

  test('rules hear of each appointment and of each wish, under one id', async () => {
    const idsOf = (event: string, what: 'appointment_id' | 'session_id') => {
      const ids = new Map<string, Set<string>>()
      for (const { webhook_id, data } of told(event)) {
        ids.set(data[what], (ids.get(data[what]) ?? new Set()).add(webhook_id))
      }
      return ids
    }
    await expect.poll(() => idsOf('appointment.created', 'appointment_id').size).toBe(PEOPLE)
    await expect
      .poll(() => [...waiting].filter((id) => !idsOf('handoff.requested', 'session_id').has(id)))
      .toEqual([])
    for (const ids of idsOf('appointment.created', 'appointment_id').values()) {
      expect(ids.size).toBe(1)
    }
    for (const ids of idsOf('handoff.requested', 'session_id').values()) expect(ids.size).toBe(1)
  })
})
