import { beforeAll, expect, test } from 'vitest'
import type { EventHandlers } from '../../../server/events.ts'
import { startDueMonths } from '../../../server/credits/month-rollover.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import type { Me, Page } from '../../helpers/answers.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import {
  OPERATOR_TOKEN,
  type TestWorkspace,
  addWorkspace,
  startTestProduct,
} from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'
import { ask, creditsOf, expectExact, freshToken, patchWorkspace } from './ledger.ts'
import { eventually } from '../../helpers/eventually.ts'

const NAMES = [
  'subscription.plan_changed',
  'subscription.renewed',
  'subscription.cancelled',
] as const

describeOnBothDatabases('the plan of a workspace', (database) => {
  const clock = new TestClock(Date.UTC(2027, 0, 31, 10))
  const heard: { event: string; workspaceId: string; data: object }[] = []

  const product = useProduct(database, { clock })
  beforeAll(() => {
    for (const name of NAMES) {
      const hear: EventHandlers<typeof name>[number] = async (tx, event, { workspaceId, data }) => {
        tx.afterCommit.push(() => heard.push({ event, workspaceId, data }))
      }
      const { reactions } = product.ctx
      Object.assign(reactions, { [name]: [...reactions[name], hear] })
    }
  })

  const told = ({ id }: TestWorkspace) =>
    heard
      .filter(({ workspaceId }) => workspaceId === id)
      .map(({ event, data }) => [event.split('.')[1], data])
  const goTo = (year: number, month: number, day: number, ms = 0) =>
    clock.move(Date.UTC(year, month - 1, day) + ms - clock.now())
  const planOf = async (workspace: TestWorkspace) => {
    const token = await freshToken(product, workspace)
    const me = await product.call<Me>('/api/v1/auth/me', { token })
    return me.body.user.plan
  }

  test('is announced when it changes, up or down, and not when it stays', async () => {
    const workspace = await addWorkspace(product, { plan: 'starter' })
    const plans = ['klinik_pro', 'eticaret_pro', 'eticaret_pro', 'enterprise', 'ajans_pro']
    for (const plan of plans) await patchWorkspace(product, workspace, { plan })
    await patchWorkspace(product, workspace, { monthly_credits: 7 })
    await patchWorkspace(product, workspace, { plan: 'ajans_pro' })
    expect((await creditsOf(product, workspace)).monthly_limit).toBe(7)
    await patchWorkspace(product, workspace, { plan: 'starter' })
    const changed_at = '2027-01-31T10:00:00.000Z'
    expect(told(workspace)).toEqual([
      ...[
        ['starter', 'klinik_pro', 'upgrade'],
        ['klinik_pro', 'eticaret_pro', 'upgrade'],
        ['eticaret_pro', 'enterprise', 'upgrade'],
        ['enterprise', 'ajans_pro', 'downgrade'],
        ['ajans_pro', 'starter', 'downgrade'],
      ].map(([previous_plan, plan, change]) => [
        'plan_changed',
        { previous_plan, plan, change, changed_at },
      ]),
      ['cancelled', { plan: 'ajans_pro', ends_at: changed_at }],
    ])
  })

  test('is renewed once in each month, also when nobody asks', async () => {
    const quiet = await addWorkspace(product)
    const busy = await addWorkspace(product)
    const free = await addWorkspace(product, { plan: 'starter' })
    goTo(2027, 2, 1)
    const token = await freshToken(product, busy)
    await Promise.all([
      ...[1, 2, 3].map(() => startDueMonths(product.ctx)),
      ...Array.from({ length: 10 }, () => ask(product, busy, token)),
    ])
    const february = [
      'renewed',
      {
        plan: 'klinik_pro',
        period_start: '2027-02-01T00:00:00.000Z',
        period_end: '2027-03-01T00:00:00.000Z',
      },
    ]
    expect(told(quiet)).toEqual([february])
    expect(told(busy)).toEqual([february])
    expect(told(free)).toEqual([])
    goTo(2027, 3, 1, -1)
    await startDueMonths(product.ctx)
    expect(told(quiet).length).toBe(1)
    goTo(2027, 3, 31, HOUR_MS)
    await startDueMonths(product.ctx)
    expect(told(quiet).length).toBe(2)
    expect(await expectExact(product, quiet)).toMatchObject({ remaining: 20_000 })
  })

  test('is renewed for the present month alone when the service slept for months', async () => {
    const workspace = await addWorkspace(product)
    goTo(2027, 7, 31)
    await startDueMonths(product.ctx)
    await startDueMonths(product.ctx)
    expect(told(workspace)).toEqual([
      [
        'renewed',
        {
          plan: 'klinik_pro',
          period_start: '2027-07-01T00:00:00.000Z',
          period_end: '2027-08-01T00:00:00.000Z',
        },
      ],
    ])
  })

  test('can be cancelled: it goes on until the month ends, and then there is none', async () => {
    const workspace = await addWorkspace(product)
    const ends_at = '2027-08-01T00:00:00.000Z'
    const answer = await patchWorkspace(product, workspace, { cancelled: true })
    expect(answer.body).toMatchObject({ plan: 'klinik_pro', ends_at })
    await patchWorkspace(product, workspace, { cancelled: true })
    expect(told(workspace)).toEqual([['cancelled', { plan: 'klinik_pro', ends_at }]])
    expect(await creditsOf(product, workspace)).toMatchObject({ remaining: 20_000 })
    goTo(2027, 8, 1)
    expect(await creditsOf(product, workspace)).toMatchObject({
      remaining: 500,
      monthly_limit: 500,
    })
    expect(await planOf(workspace)).toBe('starter')
    expect(told(workspace).slice(1)).toEqual([
      [
        'plan_changed',
        {
          previous_plan: 'klinik_pro',
          plan: 'starter',
          change: 'cancellation',
          changed_at: ends_at,
        },
      ],
    ])
    await expectExact(product, workspace)
    const again = await patchWorkspace(product, workspace, { cancelled: true })
    expect([again.status, again.body]).toMatchObject([409, { code: 'conflict' }])
  })

  test('is told to be over once, also when it ends before the cancelled month does', async () => {
    const workspace = await addWorkspace(product)
    await patchWorkspace(product, workspace, { cancelled: true })
    await patchWorkspace(product, workspace, { plan: 'starter' })
    expect(told(workspace).map(([event]) => event)).toEqual(['cancelled', 'plan_changed'])
  })

  test('goes on when the cancellation is taken back or another plan is chosen', async () => {
    const kept = await addWorkspace(product)
    const moved = await addWorkspace(product)
    for (const workspace of [kept, moved]) {
      await patchWorkspace(product, workspace, { cancelled: true })
    }
    const answer = await patchWorkspace(product, kept, { cancelled: false })
    expect(answer.body).toMatchObject({ ends_at: null })
    await patchWorkspace(product, moved, { plan: 'ajans_pro' })
    goTo(2027, 9, 1)
    await startDueMonths(product.ctx)
    expect([await planOf(kept), await planOf(moved)]).toEqual(['klinik_pro', 'ajans_pro'])
    expect(told(kept).map(([event]) => event)).toEqual(['cancelled', 'renewed'])
    expect(told(moved).map(([event]) => event)).toEqual(['cancelled', 'plan_changed', 'renewed'])
  })
})

describeOnBothDatabases('a plan that ended while no process ran', (database) => {
  test('is over with the start, no matter who asks first', async () => {
    const place = await database.create()
    const clock = new TestClock(Date.UTC(2025, 0, 31, 10))
    const before = await startTestProduct(place, { clock })
    const workspace = await addWorkspace(before)
    await patchWorkspace(before, workspace, { cancelled: true })
    await before.stop()
    const after = await startTestProduct(place)
    try {
      const list = '/api/v1/operator/workspaces'
      const plansAre = async () => {
        const { body } = await after.call<Page<object>>(list, { token: OPERATOR_TOKEN })
        expect(body.data).toMatchObject([{ ws_id: workspace.id, plan: 'starter' }])
      }
      await eventually(plansAre)
    } finally {
      await after.stop()
    }
  })
})
