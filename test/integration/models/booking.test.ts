import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Appointment } from '../../../server/appointments/schema.ts'
import type { Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { type ModelServer, startModelServer } from '../../helpers/servers/model-server.ts'
import { type TestWorkspace, addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, readBy, settingsOf } from './answering-visitor.ts'

/** Saturday, 21 November 2026, 12:00 in Istanbul. */
const NOW = Date.parse('2026-11-21T09:00:00Z')
const MONDAY_NINE = '2026-11-23T06:00:00.000Z'
const CLINIC = {
  locale: 'en',
  time_zone: 'Europe/Istanbul',
  office_hours: { mon: [{ from: '09:00', to: '12:00' }] },
  slot_minutes: 30,
}
const INPUT = { start: MONDAY_NINE, name: 'Ayşe Yılmaz', phone: '+90 532 123 45 67' }

describeOnDatabase('a model that books appointments', (database) => {
  let server: ModelServer
  let clinic: TestWorkspace
  let input: object = INPUT

  beforeAll(async () => {
    server = await startModelServer(({ body }) => {
      const [result] = readBy(body).results
      if (result !== undefined) return { text: [result] }
      return { calls: [{ id: 'c1', name: 'book_appointment', input: JSON.stringify(input) }] }
    })
  })
  afterAll(() => server.close())
  const product = useProduct(database, () => ({
    clock: new TestClock(NOW),
    settings: { ...settingsOf(server), LOG_LEVEL: 'fatal' },
  }))
  beforeAll(async () => {
    clinic = await addWorkspace(product, { tenant: CLINIC })
  })

  const booked = async () => {
    const path = '/api/v1/appointments'
    const { token } = clinic
    return (await product.call<Page<Appointment>>(path, { token })).body.data
  }

  test('says which times are free, and shows the calendar', async () => {
    input = {}
    const { body } = await ask(product, clinic, 'When can I come?')
    expect(body.reply?.form).toBe('appointment')
    expect(body.reply?.content).toContain(MONDAY_NINE)
    const { document } = readBy(server.calls[0]?.body ?? {})
    expect(document).toMatchObject({ now: expect.stringContaining('Saturday, November 21, 2026') })
  })

  test('survives whatever a model sends to it', async () => {
    for (const nonsense of [null, [], { from: 'soon' }, { start: 5, name: {} }]) {
      input = Object(nonsense)
      const { status, body } = await ask(product, clinic, 'Monday at 9?')
      expect(status).toBe(200)
      expect(body.reply?.content ?? '').not.toBe('')
    }
    expect(await booked()).toEqual([])
  })

  test.each([
    ['Monday please. Ayşe Yılmaz, 0532 123 45 67', INPUT],
    ['Monday at 9 please, my name is Ayşe Yılmaz', INPUT],
    ['Monday at 9, 0532 123 45 67', INPUT],
    ['Monday at 9 please, Ayşe Yılmaz', { start: INPUT.start, name: INPUT.name }],
    ['Monday at 5, Ayşe Yılmaz, 0532 123 45 67', { ...INPUT, start: '2026-11-23T14:00:00Z' }],
  ])('books nothing that the visitor did not say, or that is not free: %s', async (text, given) => {
    input = given
    const { status, body } = await ask(product, clinic, text)
    expect(status).toBe(200)
    expect(body.reply?.content).not.toContain('Booked')
    expect(await booked()).toEqual([])
  })

  test('books what the visitor chose, once', async () => {
    input = INPUT
    const message = 'Monday at 9:00 please. I am Ayşe Yılmaz, 0532 123 45 67'
    const { body } = await ask(product, clinic, message)
    expect(body.reply?.content).toContain('Booked for Monday')
    expect(await booked()).toMatchObject([{ start: MONDAY_NINE, phone: '+905321234567' }])
    const again = await ask(product, clinic, message)
    expect(again.body.reply?.content).toContain('It was not done')
    expect(await booked()).toHaveLength(1)
  })
})
