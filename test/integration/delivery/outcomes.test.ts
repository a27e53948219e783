import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AttemptResult } from '../../../server/delivery/attempt-result.ts'
import { type Outcome, writeOutcomes } from '../../../server/delivery/queue/outcomes.ts'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Engine, NOON, openEngine } from './engine.ts'

const FAILED: AttemptResult = {
  status: 500,
  error: null,
  latency_ms: 3,
  answer: null,
  retryAfter: undefined,
}
const LEASE_MS = 30_000

describeOnBothDatabases('results', (database) => {
  let engine: Engine
  beforeEach(async () => {
    engine = await openEngine(await database.create())
  })
  afterEach(() => engine.close())

  /** Lets somebody claim the delivery, and answers what becomes of that claim. */
  async function claimed(
    id: string,
    name: string,
    until: number,
    verdict: Outcome['verdict'],
  ): Promise<Outcome> {
    const row = await engine.ctx.db
      .updateTable('deliveries')
      .set({ lease_token: name, lease_until: until })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const delivery = { ...row, lease_token: name, lease_until: until }
    return { delivery, verdict, made: { startedAt: NOON, result: FAILED } }
  }
  const write = (outcomes: Outcome[]) =>
    writeOutcomes(
      engine.ctx,
      {
        chat: { find: async () => [...engine.endpoints.values()] },
        platform: { find: async () => [] },
      },
      outcomes,
    )

  test.each([
    ['retried', { kind: 'retry', at: NOON + 60_000 }, 'waiting'],
    ['given up', { kind: 'exhausted' }, 'dead'],
  ] as const)(
    'a delivery that was sent again after its lease and is %s twice at once counts once',
    async (_, verdict, state) => {
      const rule = engine.addEndpoint('https://receiver.example/')
      const other = await engine.enqueue(rule)
      const id = await engine.enqueue(rule)
      const beside = await claimed(other, 'mine', NOON + LEASE_MS, verdict)
      const late = await claimed(id, 'first', NOON + LEASE_MS, verdict)
      const current = await claimed(id, 'second', NOON + 2 * LEASE_MS, verdict)
      expect(await write([late, beside, current])).toBe(2)
      const states = await engine.deliveries(rule)
      expect(states.map((each) => each.state)).toEqual([state, state])
      expect(await engine.attempts(id)).toHaveLength(1)
      expect(await engine.attempts(other)).toHaveLength(1)
    },
  )
})
