import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import { METRICS_TOKEN, type StartedProduct, addWorkspace } from '../../helpers/product.ts'
import { useStartedProducts } from '../../helpers/use-product.ts'

const START = Date.UTC(2026, 4, 11, 9)
const DAY_MS = 86_400_000
/** Longer than a count is good for, however long the counting took. */
const COUNT_TTL_MS = 600_000

const startProduct = useStartedProducts()
const start = (place: DatabasePlace, clock: TestClock) => startProduct(place, { clock })

describeOnPostgres('the counts of queues', (database) => {
  test('are taken by one process, and shown by all', async () => {
    const place = await database.create()
    const clocks = [new TestClock(START), new TestClock(START)]
    const processes = await Promise.all(clocks.map((clock) => start(place, clock)))
    const [first] = processes
    if (!first) throw new Error('It has not started.')
    const mails = (product: StartedProduct) =>
      product.call('/metrics', { token: METRICS_TOKEN }).then(({ text }) => {
        const [, depth] = /^sohbet_mail_queue_depth\{state="scheduled"\} (\S+)$/m.exec(text) ?? []
        return depth
      })
    const { id } = await addWorkspace(first)
    const addMail = () =>
      sql`insert into mails (id, workspace_id, recipient, content, state, attempts, next_at, created_at)
        values (${crypto.randomUUID()}, ${id}, 'ada@example.com', '', 'waiting', 0,
          ${START + DAY_MS}, ${START})`.execute(first.ctx.db)
    await addMail()
    expect(await mails(first)).toBe('1')
    await addMail()
    expect(await Promise.all(processes.map(mails))).toEqual(['1', '1'])
    for (const clock of clocks) clock.move(COUNT_TTL_MS)
    await expect.poll(() => Promise.all(processes.map(mails))).toContain('2')
    for (const clock of clocks) clock.move(COUNT_TTL_MS)
    await expect.poll(() => Promise.all(processes.map(mails))).toEqual(['2', '2'])
  })
})
