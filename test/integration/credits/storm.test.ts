import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Context, transaction } from '../../../server/context.ts'
import { holdCredits, releaseHold, settleHold } from '../../../server/credits/ledger.ts'
import { type LedgerEntry, findBalance } from '../../../server/credits/store.ts'
import { listLedger } from '../../../server/credits/store.ledger.ts'
import { releaseLapsedHolds } from '../../../server/credits/lapsed-holds.ts'
import { addCredits, changeWorkspace } from '../../../server/workspaces/workspaces.ts'
import { AppError } from '../../../server/http/errors.ts'
import { HOUR_MS } from '../../../server/lib/durations.ts'
import { newId } from '../../../server/lib/ids.ts'
import { PlanId } from '../../../server/platform/auth/plans.ts'
import { TestClock } from '../../helpers/clock.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { addWorkspace } from '../../helpers/product.ts'
import { useProduct } from '../../helpers/use-product.ts'

/** Another seed is another storm: `STORM_SEED=7 npm test -- integration …/storm.test.ts`. */
const SEED = Number(process.env.STORM_SEED ?? 20_271_115)
const OPERATIONS = 10_000
/** Some seconds of work; a busy machine is not a defect. */
const PATIENCE_MS = 240_000
const CALLERS = 50
const WORKSPACES = 6
const EVERY_ROW = { from: undefined, until: undefined, type: undefined }

type Operation =
  | { do: 'settle'; held: number; min: number; cost: number }
  | { do: 'release'; held: number; min: number }
  | { do: 'abandon'; held: number; min: number }
  | { do: 'buy'; milli: number; order: number }
  | { do: 'limit'; credits: number }
  | { do: 'plan'; plan: PlanId }
  | { do: 'sleep'; hours: number }
  | { do: 'sweep' }
  | { do: 'look' }

const is = <Name extends string>(name: Name) => fc.constant(name)
const amount = fc.integer({ min: 1, max: 9_000 })
const hold = { held: amount, min: fc.integer({ min: 1, max: 9_000 }) }
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 60, arbitrary: fc.record({ do: is('settle'), ...hold, cost: amount }) },
  { weight: 12, arbitrary: fc.record({ do: is('release'), ...hold }) },
  { weight: 3, arbitrary: fc.record({ do: is('abandon'), ...hold }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: is('buy'),
      milli: fc.integer({ min: 1, max: 20_000 }),
      order: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: is('limit'), credits: fc.integer({ min: 0, max: 60 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: is('plan'), plan: fc.constantFrom(...PlanId.options) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('sleep'), hours: fc.integer({ min: 1, max: 1_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('sweep') }) },
  { weight: 4, arbitrary: fc.record({ do: is('look') }) },
)

/** The cost that a run returned when it settled: all that its customer may ever pay. */
type Settled = Map<string, { workspaceId: string; cost: number }>

describeOnBothDatabases(`a storm of ${OPERATIONS} operations, seed ${SEED}`, (database) => {
  const clock = new TestClock(Date.UTC(2027, 11, 31, 20))

  const product = useProduct(database, { clock })

  test(
    'leaves a ledger that adds up, row by row, and each run paid for once',
    async () => {
      const { ctx } = product
      const ids: string[] = []
      for (let count = 0; count < WORKSPACES; count += 1) {
        ids.push((await addWorkspace(product, { credits: 40 })).id)
      }
      const operations = fc.sample(operation, { seed: SEED, numRuns: OPERATIONS })
      const settled: Settled = new Map()
      const perform = async (one: Operation, index: number) => {
        const workspaceId = ids[index % WORKSPACES] ?? ''
        const outcome = await apply(ctx, clock, { workspaceId, one, settled })
        if (outcome) throw new Error(`Operation ${index} ${JSON.stringify(one)}: ${outcome}`)
      }
      let next = 0
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          while (next < operations.length) {
            const index = next
            next += 1
            const one = operations[index]
            if (one) await perform(one, index)
          }
        }),
      )
      clock.move(HOUR_MS)
      await releaseLapsedHolds(ctx)
      for (const workspaceId of ids) {
        expect(await contradiction(ctx, workspaceId)).toBeUndefined()
        expect((await findBalance(ctx.db, workspaceId))?.held).toBe(0)
        const rows = await listLedger(ctx.db, workspaceId, EVERY_ROW, {
          order: 'old',
          limit: OPERATIONS * 10,
          after: undefined,
        })
        expect(firstWrongRow(rows)).toBeUndefined()
        expect(debitsOf(rows)).toEqual(expectedDebits(settled, workspaceId))
        expect(onceEach(rows)).toBe(true)
      }
      expect(settled.size).toBeGreaterThan(OPERATIONS / 10)
    },
    PATIENCE_MS,
  )
})

/** Does one operation; answers what was wrong about how it ended. */
async function apply(
  ctx: Context,
  clock: TestClock,
  { workspaceId, one, settled }: { workspaceId: string; one: Operation; settled: Settled },
): Promise<string | undefined> {
  if (one.do === 'sleep') clock.move(one.hours * HOUR_MS)
  else if (one.do === 'sweep') await releaseLapsedHolds(ctx)
  else if (one.do === 'look') return contradiction(ctx, workspaceId)
  else if (one.do === 'plan') await changeWorkspace(ctx, workspaceId, { plan: one.plan })
  else if (one.do === 'limit') {
    await changeWorkspace(ctx, workspaceId, { monthlyCredits: one.credits })
  } else if (one.do === 'buy') {
    const addon = { credits: one.milli / 1_000, reference: `order-${one.order}` }
    await addCredits(ctx, workspaceId, addon)
  } else return performRun(ctx, { workspaceId, one, settled })
  return undefined
}

async function performRun(
  ctx: Context,
  {
    workspaceId,
    one,
    settled,
  }: {
    workspaceId: string
    one: Extract<Operation, { held: number }>
    settled: Settled
  },
): Promise<string | undefined> {
  const runId = newId('run')
  const min = Math.min(one.min, one.held)
  try {
    const taken = await transaction(ctx, (tx) =>
      holdCredits(tx, workspaceId, one.held, { runId, min }),
    )
    if (taken.id !== runId || taken.amount > one.held || taken.amount < min) {
      return `held ${taken.amount}`
    }
    if (one.do === 'abandon') return undefined
    if (one.do === 'release') await transaction(ctx, (tx) => releaseHold(tx, taken))
    else {
      const remaining = await transaction(ctx, (tx) => settleHold(tx, taken, one.cost))
      if (remaining < 0) return `left ${remaining}`
      settled.set(runId, { workspaceId, cost: Math.min(one.cost, taken.amount) })
    }
  } catch (error) {
    const isRefused = error instanceof AppError && error.code.startsWith('credits_')
    const isSwept = error instanceof Error && /settled or released before/.test(error.message)
    if (!isRefused && !isSwept) throw error
  }
  return undefined
}

/** Returns a contradiction between tables, in one statement, which sees one snapshot of them. */
async function contradiction(ctx: Context, workspaceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ left: number; held: number; holds: number; ledger: number }>`
    select monthly + addons - held as "left", held,
      (select coalesce(sum(amount), 0) from holds
        where holds.workspace_id = balances.workspace_id) as holds,
      (select coalesce(sum(amount), 0) from ledger
        where ledger.workspace_id = balances.workspace_id) as ledger
    from balances where workspace_id = ${workspaceId}`.execute(ctx.db)
  const [seen] = rows
  if (!seen) return 'no balance'
  const isRight = seen.left >= 0 && seen.held === seen.holds && seen.left === seen.ledger
  return isRight ? undefined : JSON.stringify(seen)
}

/** The first row whose state does not follow from the row before it, with that row. */
function firstWrongRow(rows: readonly LedgerEntry[]): LedgerEntry[] | undefined {
  let before: LedgerEntry | undefined
  let state = { monthly: 0, addons: 0, held: 0 }
  for (const row of rows) {
    if (row.type === 'hold' || row.type === 'release') state.held -= row.amount
    else if (row.source === 'monthly') state.monthly += row.amount
    else state.addons += row.amount
    const shown = { monthly: row.monthly_after, addons: row.addons_after, held: row.held_after }
    const isSame = JSON.stringify(shown) === JSON.stringify(state)
    const isPossible = Object.values(shown).every((value) => value >= 0)
    const left = shown.monthly + shown.addons - shown.held
    if (!isSame || !isPossible || left < 0) return before ? [before, row] : [row]
    before = row
    state = shown
  }
  return undefined
}

/** Returns what each run paid, by the ledger. */
function debitsOf(rows: readonly LedgerEntry[]): Map<string, number> {
  const debits = new Map<string, number>()
  for (const { type, run_id, amount: change } of rows) {
    if (type === 'settle') debits.set(run_id ?? '', (debits.get(run_id ?? '') ?? 0) - change)
  }
  return debits
}

function expectedDebits(settled: Settled, workspaceId: string): Map<string, number> {
  const own = [...settled].filter(([, run]) => run.workspaceId === workspaceId)
  return new Map(own.map(([id, { cost }]) => [id, cost]))
}

/** Whether no run is held, released or settled twice from one source, and no order counts twice. */
function onceEach(rows: readonly LedgerEntry[]): boolean {
  const keys = rows.flatMap(({ type, source, run_id, reference }) =>
    run_id === null && reference === null ? [] : [`${type} ${source} ${run_id} ${reference}`],
  )
  return new Set(keys).size === keys.length
}
