import { sql } from 'kysely'
import type { Transaction } from '../context.ts'
import { type ColumnType, rowSource } from '../storage/row-source.ts'
import type { AttemptResult } from './attempt.ts'
import type { Claimed } from './claim.ts'
import type { EndpointSources } from './endpoints.ts'
import { holdDeliveries } from './hand.ts'
import { insertAttempts, insertFinished } from './history.ts'
import { KEPT_MS, type Verdict } from './policies.ts'

/** What became of a claimed delivery. `made` is its attempt, when one was made. */
export interface Outcome {
  delivery: Claimed
  verdict: Verdict | { kind: 'held' } | { kind: 'cancelled' }
  made?: { startedAt: number; result: AttemptResult }
}

/** Deliveries whose row is gone once the outcome is written. */
const LEAVES_QUEUE = new Set<Outcome['verdict']['kind']>([
  'delivered',
  'failed',
  'exhausted',
  'cancelled',
])

/**
 * Writes a batch of outcomes, each only if its lease is still ours, and returns how many were. The
 * attempts and the next states of a batch commit together.
 */
export async function writeOutcomes(
  tx: Transaction,
  sources: EndpointSources,
  outcomes: readonly Outcome[],
): Promise<number> {
  const kept = new Set([
    ...(await deleteFinished(tx, outcomes.filter(leavesQueue))),
    ...(await putBack(
      tx,
      outcomes.filter((outcome) => !leavesQueue(outcome)),
    )),
  ])
  const ours = outcomes.filter((outcome) => kept.has(outcome.delivery.id))
  await insertAttempts(
    tx,
    ours.flatMap(({ delivery, made }) =>
      made ? [{ delivery, number: delivery.attempts + 1, ...made }] : [],
    ),
  )
  for (const state of ['delivered', 'cancelled'] as const) {
    const ended = ours.filter(({ verdict }) => verdict.kind === state)
    await insertFinished(tx, ended.map(countAttempt), state)
  }
  await insertDeadLetters(tx, ours)
  for (const { family, id, why } of givenUp(ours)) {
    if (await sources[family]?.giveUp?.(tx, id, why)) await holdDeliveries(tx, id)
  }
  return ours.length
}

function countAttempt({ delivery, made }: Outcome): Claimed {
  return made ? { ...delivery, attempts: delivery.attempts + 1 } : delivery
}

function leavesQueue(outcome: Outcome): boolean {
  return LEAVES_QUEUE.has(outcome.verdict.kind)
}

async function deleteFinished(tx: Transaction, outcomes: readonly Outcome[]): Promise<string[]> {
  if (outcomes.length === 0) return []
  const leases = outcomes.map(({ delivery }) => [delivery.id, delivery.lease_token])
  const { rows } = await sql<{ id: string }>`
    delete from deliveries
    where (id, lease_token) in (select c0, c1 from ${rowSource(tx.db, ['text', 'text'], leases)} as lease)
    returning id`.execute(tx.db)
  return rows.map((row) => row.id)
}

const PUT_BACK: readonly ColumnType[] = ['text', 'text', 'bigint', 'bigint', 'bigint', 'bigint']

async function putBack(tx: Transaction, outcomes: readonly Outcome[]): Promise<string[]> {
  if (outcomes.length === 0) return []
  const now = tx.now()
  const next = outcomes.map(({ delivery, verdict, made }) => {
    const at = verdict.kind === 'retry' ? verdict.at : null
    const count = made ? 1 : 0
    return [
      delivery.id,
      delivery.lease_token,
      at,
      at === null ? now : null,
      delivery.attempt + count,
      delivery.attempts + count,
    ]
  })
  const { rows } = await sql<{ id: string }>`
    update deliveries set next_at = entry.c2, held_at = entry.c3, attempt = entry.c4,
      attempts = entry.c5, tier = case when entry.c4 > 0 then 1 else 0 end,
      lease_token = null, lease_until = null
    from ${rowSource(tx.db, PUT_BACK, next)} as entry
    where deliveries.id = entry.c0 and deliveries.lease_token = entry.c1
    returning deliveries.id as id`.execute(tx.db)
  return rows.map((row) => row.id)
}

async function insertDeadLetters(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  const now = tx.now()
  const dead = outcomes
    .filter(({ verdict }) => verdict.kind === 'failed' || verdict.kind === 'exhausted')
    .map(({ delivery }) => ({
      id: delivery.id,
      workspace_id: delivery.workspace_id,
      family: delivery.family,
      endpoint_id: delivery.endpoint_id,
      event: delivery.event,
      body: delivery.body,
      attempts: delivery.attempts + 1,
      created_at: delivery.created_at,
      died_at: now,
      expires_at: now + KEPT_MS[delivery.family],
    }))
  if (dead.length > 0) await tx.db.insertInto('dead_letters').values(dead).execute()
}

/** The endpoints that asked for no more or whose last retry failed, each once. */
function givenUp(outcomes: readonly Outcome[]) {
  const found = new Map<
    string,
    { family: Claimed['family']; id: string; why: 'gone' | 'exhausted' }
  >()
  for (const { delivery, verdict } of outcomes) {
    const why =
      verdict.kind === 'exhausted'
        ? 'exhausted'
        : verdict.kind === 'failed' && verdict.disable
          ? 'gone'
          : undefined
    if (why)
      found.set(delivery.endpoint_id, { family: delivery.family, id: delivery.endpoint_id, why })
  }
  return found.values()
}
