import { expect } from 'vitest'
import type { StoppablePostgres } from './stoppable-postgres.ts'
import type { Outcome } from './traffic.ts'

/**
 * Counts in SQL: each ledger explains its balance, each answer was paid for once, and every turn that was
 * acknowledged is stored with its answer. Returns how many there are.
 */
export async function expectBooksInOrder(
  postgres: StoppablePostgres,
  outcomes: readonly Outcome[],
): Promise<{ acknowledged: number; stored: number }> {
  const wrong = await postgres.query(`
    select balances.workspace_id, monthly + addons - held as balance, sum(amount) as ledger
    from balances join ledger using (workspace_id)
    group by balances.workspace_id, monthly, addons, held
    having monthly + addons - held <> sum(amount)`)
  expect(wrong).toEqual([])
  const twice = await postgres.query(
    "select run_id from ledger where type = 'settle' group by run_id having count(*) > 1",
  )
  expect(twice).toEqual([])
  const [counts] = await postgres.query<{ answers: number; settled: number }>(`
    select (select count(*)::int from messages where role = 'assistant') as answers,
      (select count(*)::int from ledger where type = 'settle') as settled`)
  expect(counts?.settled).toBe(counts?.answers)
  const stored = await postgres.query<{ id: string }>('select id from messages')
  const ids = new Set(stored.map(({ id }) => id))
  const acknowledged = outcomes.filter(({ status }) => status === 200)
  const lost = acknowledged.filter(({ text }) => {
    const turn: { message_id: string; reply: { message_id: string } | null } = JSON.parse(text)
    return !ids.has(turn.message_id) || (turn.reply !== null && !ids.has(turn.reply.message_id))
  })
  expect(lost.map(({ id }) => id)).toEqual([])
  return { acknowledged: acknowledged.length, stored: counts?.answers ?? 0 }
}
