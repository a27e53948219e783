import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { JobPeriods } from '../../../server/jobs/job-periods.ts'
import { TestClock } from '../../helpers/clock.ts'
import { type DatabasePlace, describeOnPostgres } from '../../helpers/databases.ts'
import { METRICS_TOKEN, type StartedProduct } from '../../helpers/product.ts'
import { useStartedProducts } from '../../helpers/use-product.ts'

/** A second and a half into a minute, so that neither a timer of 5 s nor of 60 s is near. */
const START = Date.UTC(2026, 4, 11, 9, 0, 1, 500)
const PERIOD_MS = 15_000
const LEASE_MS = 15_000
const DAY_MS = 86_400_000

const startProduct = useStartedProducts()
const start = (place: DatabasePlace, clock: TestClock) => startProduct(place, { clock })

/** Returns when a job of the cron table last succeeded, in seconds after the start. */
async function successOf({ ctx }: StartedProduct, job: string): Promise<number | undefined> {
  const at = (await new JobPeriods(ctx).lastSuccesses()).get(job)
  return at === undefined ? undefined : (at - START) / 1000
}

describeOnPostgres('scheduled jobs of several processes', (database) => {
  test('run in the first process that comes to their period, and in no other', async () => {
    const place = await database.create()
    const first = await start(place, new TestClock(START))
    await expect.poll(() => successOf(first, 'begin-months')).toBe(0)
    await expect.poll(() => successOf(first, 'attend-waiting')).toBe(0)
    // In the same minute, and in the next five seconds.
    const second = await start(place, new TestClock(START + 5_000))
    await expect.poll(() => successOf(second, 'attend-waiting')).toBe(5)
    expect(await successOf(second, 'begin-months')).toBe(0)
    const name = 'sohbet_job_last_success_timestamp_seconds{name="begin-months"}'
    const { text } = await second.call('/metrics', { token: METRICS_TOKEN })
    expect(text).toContain(`${name} ${START / 1000}`)
  })

  test('run once in each period, however many processes come to it at once', async () => {
    const place = await database.create()
    const processes = [
      await start(place, new TestClock(START)),
      await start(place, new TestClock(START)),
    ].map(({ ctx }) => new JobPeriods(ctx))
    const ran: number[] = []
    const runAll = (period: number) =>
      Promise.all(
        processes.map((one) =>
          one.run('test', period, async () => {
            ran.push(period)
          }),
        ),
      )
    for (const period of [START, START + PERIOD_MS, START, START + PERIOD_MS]) await runAll(period)
    expect(ran).toEqual([START, START + PERIOD_MS])
  })

  test('begin no period while another process still works on the one before', async () => {
    const place = await database.create()
    const [busyClock, clock] = [new TestClock(START), new TestClock(START)]
    const busy = new JobPeriods((await start(place, busyClock)).ctx)
    const other = new JobPeriods((await start(place, clock)).ctx)
    const ran: string[] = []
    const run = (one: JobPeriods, period: number, title: string) =>
      one.run('test', period, async () => {
        ran.push(title)
      })
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const working = busy.run('test', START, async () => {
      begun.resolve()
      await over.promise
    })
    await begun.promise
    await run(other, START + PERIOD_MS, 'beside')
    expect(ran).toEqual([])
    // The other process sees no heartbeat for the length of a lease.
    clock.move(LEASE_MS)
    await run(other, START + PERIOD_MS, 'after the lease')
    over.resolve()
    await working
    await run(other, START + 2 * PERIOD_MS, 'next')
    expect(ran).toEqual(['after the lease', 'next'])
  })

  test('run again after a time for which the clock of the database was years ahead', async () => {
    const place = await database.create()
    const periods = new JobPeriods((await start(place, new TestClock(START))).ctx)
    const ran: number[] = []
    for (const period of [START + 1000 * DAY_MS, START]) {
      await periods.run('test', period, async () => {
        ran.push(period)
      })
    }
    expect(ran).toHaveLength(2)
  })

  test('run after a process was killed in the middle, with the clock of the database hours ahead', async () => {
    const place = await database.create()
    const { ctx } = await start(place, new TestClock(START))
    const ahead = START + DAY_MS / 2
    await sql`insert into scheduled_jobs (name, period, lease_token, lease_until)
      values ('test', ${ahead}, 'killed', ${ahead + LEASE_MS})`.execute(ctx.db)
    let runs = 0
    const work = async () => {
      runs += 1
    }
    await new JobPeriods(ctx).run('test', START, work, START + PERIOD_MS)
    expect(runs).toBe(1)
  })

  test('are known as failed: another period is run, and no success told', async () => {
    const place = await database.create()
    const product = await start(place, new TestClock(START))
    const periods = new JobPeriods(product.ctx)
    const fail = () => Promise.reject(new Error('The job failed.'))
    await expect(periods.run('test', START, fail)).rejects.toThrow('The job failed.')
    expect(await successOf(product, 'test')).toBeUndefined()
    await periods.run('test', START + PERIOD_MS, async () => undefined)
    expect(await successOf(product, 'test')).toBe(0)
  })
})

describeOnPostgres('the sweeper of lapsed holds', (database) => {
  test('finds them by an index', async () => {
    const { ctx } = await start(await database.create(), new TestClock(START))
    const plan = await ctx.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql`explain select * from holds
        where lease_until <= ${START} order by lease_until limit 500`.execute(tx)
      return JSON.stringify(rows)
    })
    expect(plan).toContain('holds_lease')
  })
})
