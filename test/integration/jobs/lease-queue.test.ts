import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Context, transaction } from '../../../server/context.ts'
import { LeaseQueue } from '../../../server/jobs/lease-queue.ts'
import { type WorkerOptions, startQueueWorker } from '../../../server/jobs/queue-worker.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type StartedProduct, startTestProduct } from '../../helpers/product.ts'
import { eventually } from '../../helpers/eventually.ts'

interface Row {
  id: string
  workspace_id: string
  person: string
  state: 'waiting' | 'done' | 'failed'
  attempts: number
  next_at: number
  lease_token: string | null
  lease_until: number | null
  error: string | null
  written: string | null
  ended_at: number | null
}

const LEASE_MS = 60_000
/** A queue whose later claims wait for the gate. */
class SlowQueue extends LeaseQueue<Row> {
  gate: Promise<void> = Promise.resolve()

  override async claim(...given: Parameters<LeaseQueue<Row>['claim']>): Promise<Row[]> {
    await this.gate
    return super.claim(...given)
  }
}

const queue = new SlowQueue({
  name: 'test_jobs',
  columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  ended: { done: 'done', dead: 'failed' },
  ordering: { key: ['person'], order: ['next_at', 'id'] },
})
const capped = new LeaseQueue<Row>({
  name: 'test_jobs',
  columns: { id: 'id', dueAt: 'next_at', attempts: 'attempts' },
  idOf: ({ id }) => id,
  attemptsOf: ({ attempts }) => attempts,
  groupCap: { column: 'workspace_id', max: 2 },
})

describeOnBothDatabases('a leased queue', (database) => {
  let clock: TestClock
  let product: StartedProduct
  let ctx: Context

  beforeAll(async () => {
    clock = new TestClock(Date.UTC(2026, 4, 11, 9))
    product = await startTestProduct(await database.create(), {
      clock,
      settings: { LOG_LEVEL: 'silent' },
    })
    ;({ ctx } = product)
    await sql`create table test_jobs (id text primary key, workspace_id text, person text,
      state text, attempts bigint, next_at bigint, lease_token text, lease_until bigint, error text,
      written text, ended_at bigint)`.execute(ctx.db)
  })
  afterAll(() => product.stop())
  beforeEach(async () => {
    await sql`delete from test_jobs`.execute(ctx.db)
  })

  const add = (id: string, { person = id, workspace = 'ws' } = {}) =>
    transaction(ctx, async (tx) => {
      await sql`insert into test_jobs (id, workspace_id, person, state, attempts, next_at)
        values (${id}, ${workspace}, ${person}, 'waiting', 0, ${tx.now()})`.execute(tx.db)
      queue.notify(tx)
    })
  const rows = async () => {
    const found = await sql<Row>`select * from test_jobs order by id`.execute(ctx.db)
    return found.rows
  }
  const claim = (token: string, limit = 10, of: LeaseQueue<Row> = queue) => {
    const now = clock.now()
    return of.claim(ctx.db, { now, until: now + LEASE_MS, token, limit })
  }
  const only = (jobs: Row[]) => {
    const [job] = jobs
    if (!job || jobs.length > 1) throw new Error(`${jobs.length} jobs instead of one.`)
    return job
  }
  const work = (options: Partial<WorkerOptions<Row>>) =>
    startQueueWorker(
      ctx,
      {
        queue,
        concurrency: 2,
        leaseMs: LEASE_MS,
        pollMs: 1_000,
        run: async (job) => {
          await queue.complete(ctx.db, job, ctx.now())
        },
        classify: (error) => ({
          reason: error instanceof Error ? error.message : '',
          isExpected: true,
          isPermanent: error instanceof RangeError,
        }),
        retryDelayMs: ({ attempts }) => (attempts < 3 ? attempts * 1_000 : undefined),
        onDead: async (job, reason = 'exhausted') => {
          await queue.kill(ctx.db, job, { error: reason, now: ctx.now() })
        },
        onStop: 'abort',
        stopTimeoutMs: 5_000,
        ...options,
      },
      { isSingleProcess: false },
    )

  test('drops what a paused worker writes after its lease went to another', async () => {
    await add('a')
    const paused = only(await claim('first'))
    expect(await claim('second')).toEqual([])
    clock.move(LEASE_MS)
    const successor = only(await claim('second'))
    expect(successor.attempts).toBe(2)

    expect(await queue.renew(ctx.db, paused, clock.now() + LEASE_MS)).toBe(false)
    expect(await queue.lock(ctx.db, paused)).toBe(false)
    const next = { at: clock.now(), error: 'late' }
    expect(await queue.reschedule(ctx.db, paused, next)).toBe(false)
    const death = { error: 'late', now: clock.now() }
    expect(await queue.kill(ctx.db, paused, death)).toBe(false)
    expect(await queue.complete(ctx.db, paused, clock.now(), { written: 'late' })).toBe(false)
    expect(await rows()).toEqual([successor])

    const end = clock.now()
    expect(await queue.complete(ctx.db, successor, end, { written: 'once' })).toBe(true)
    expect(await rows()).toMatchObject([
      { state: 'done', written: 'once', error: null, ended_at: end, lease_token: null },
    ])
    expect(await queue.complete(ctx.db, successor, end)).toBe(false)
  })

  test('leases each job to one worker, and those of a person in their order', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await add(id, { person: id < 'c' ? 'one' : id })
    const claims = await Promise.all(['x', 'y', 'z'].map((token) => claim(token)))
    expect(claims.flatMap((jobs) => jobs.map(({ id }) => id)).toSorted()).toEqual(['a', 'c', 'd'])
    const first = claims.flat().find(({ id }) => id === 'a')
    if (first) await queue.complete(ctx.db, first, clock.now())
    expect((await claim('w')).map(({ id }) => id)).toEqual(['b'])
  })

  test('leases no more of a group than its cap', async () => {
    for (const id of ['a', 'b', 'c']) await add(id)
    await add('d', { workspace: 'other' })
    const jobs = await claim('x', 10, capped)
    expect(jobs.map(({ workspace_id }) => workspace_id).toSorted()).toEqual(['other', 'ws', 'ws'])
    clock.move(LEASE_MS)
    expect(await claim('y', 10, capped)).toHaveLength(3)
  })

  test('tries a job again by its schedule, and then lets it be dead', async () => {
    await add('a')
    await add('b')
    const tried: string[] = []
    const worker = work({
      run: async ({ id }) => {
        tried.push(id)
        throw id === 'a' ? new Error('busy') : new RangeError('refused')
      },
    })
    const first = { id: 'a', state: 'waiting', attempts: 1, next_at: clock.now() + 1_000 }
    const refused = { id: 'b', state: 'failed', attempts: 1, error: 'refused' }
    await eventually(async () => expect(await rows()).toMatchObject([first, refused]))
    clock.move(1_000)
    const second = { attempts: 2, next_at: clock.now() + 2_000, lease_until: null }
    await eventually(async () => expect(await rows()).toMatchObject([second, refused]))
    clock.move(2_000)
    const dead = { state: 'failed', attempts: 3, error: 'busy', ended_at: clock.now() }
    await eventually(async () => expect(await rows()).toMatchObject([dead, refused]))
    expect(tried.toSorted()).toEqual(['a', 'a', 'a', 'b'])
    await worker.stop()
  })

  test('renews the lease of a job that takes long', async () => {
    await add('a')
    const { promise: isRunning, resolve: started } = Promise.withResolvers<void>()
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
    const worker = work({
      heartbeatMs: 20_000,
      run: async (job) => {
        started()
        await isDone
        await queue.complete(ctx.db, job, ctx.now())
      },
    })
    // The row is claimed a moment before the worker knows.
    await isRunning
    for (let beat = 0; beat < 5; beat += 1) {
      clock.move(20_000)
      const renewed = { lease_until: clock.now() + LEASE_MS }
      await eventually(async () => expect(await rows()).toMatchObject([renewed]))
    }
    finish()
    await eventually(async () =>
      expect(await rows()).toMatchObject([{ state: 'done', attempts: 1 }]),
    )
    await worker.stop()
  })

  test('lets a job that took its processes along be dead', async () => {
    await add('a')
    for (const token of ['x', 'y', 'z']) {
      expect(await claim(token)).toHaveLength(1)
      clock.move(LEASE_MS)
    }
    const worker = work({ maxAttempts: 3 })
    const dead = { state: 'failed', attempts: 4, error: 'exhausted' }
    await eventually(async () => expect(await rows()).toMatchObject([dead]))
    await worker.stop()
  })

  test.each([
    ['abort', { state: 'waiting', attempts: 1, error: 'stopped', lease_until: null }],
    ['release', { state: 'waiting', attempts: 0, error: null, lease_until: null }],
    ['finish', { state: 'done', attempts: 1, error: null, lease_until: null }],
  ] as const)('stops by the rule %s', async (onStop, expected) => {
    await add('a')
    const { promise: isRunning, resolve: started } = Promise.withResolvers<void>()
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
    const worker = work({
      onStop,
      run: async (job, signal) => {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        )
        started()
        await Promise.race([isDone, aborted])
        await queue.complete(ctx.db, job, ctx.now())
      },
    })
    await isRunning
    const stopped = worker.stop()
    finish()
    await stopped
    expect(await rows()).toMatchObject([expected])
  })

  test('gives back a job that was aborted while the stop waited for a claim', async () => {
    await add('a')
    const started = Promise.withResolvers<void>()
    const worker = work({
      onStop: 'release',
      run: (_job, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
          started.resolve()
        }),
    })
    await started.promise
    const gate = Promise.withResolvers<void>()
    queue.gate = gate.promise
    ctx.pubsub.publish(queue.topic, '')
    await setImmediate()
    const stopped = worker.stop()
    await setImmediate()
    gate.resolve()
    await stopped
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, lease_until: null }])
  })
})
