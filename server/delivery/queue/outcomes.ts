import { sql } from 'kysely'
import { type Context, type Transaction, transaction } from '../../context.ts'
import { unprepared } from '../../storage/query-hints.ts'
import { dialectOf } from '../../storage/dialect.ts'
import { type ColumnType, valuesTable } from '../../storage/values-table.ts'
import type { AttemptResult } from '../attempt-result.ts'
import type { ClaimedDelivery } from './claim.ts'
import { type EndpointSources, findEndpoints } from '../endpoints.ts'
import { pauseDeliveries } from './manual-retry.ts'
import { insertAttempts, insertFinished, archiveDelivered } from './history.ts'
import { DEAD_LETTER_RETENTION_MS, type Verdict } from '../retry-policy.ts'

/** The outcome of a claimed delivery; `made` is its attempt, absent where none was sent. */
export interface Outcome {
  delivery: ClaimedDelivery
  verdict: Verdict | { kind: 'held' } | { kind: 'cancelled' }
  made?: { startedAt: number; result: AttemptResult }
}

/** Outcomes that delete the row of the queue. */
const LEAVES_QUEUE = new Set<Outcome['verdict']['kind']>(['failed', 'exhausted', 'cancelled'])

/**
 * Writes a batch of outcomes, each fenced by its lease token. Returns the number of written outcomes.
 * The attempt and the next state of a delivery commit together.
 */
export async function writeOutcomes(
  ctx: Context,
  sources: EndpointSources,
  outcomes: readonly Outcome[],
): Promise<number> {
  const others = outcomes.filter(({ verdict }) => verdict.kind !== 'delivered')
  const delivered = outcomes.flatMap(({ delivery, verdict, made }) =>
    verdict.kind === 'delivered' && made
      ? [{ id: delivery.id, leaseToken: delivery.lease_token, ...made }]
      : [],
  )
  if (dialectOf(ctx.db) === 'postgres') {
    // A single statement needs no transaction.
    const moved = await archiveDelivered(ctx.db, delivered, ctx.now())
    if (others.length === 0) return moved.length
    return moved.length + (await transaction(ctx, (tx) => writeOthers(tx, sources, others)))
  }
  return transaction(ctx, async (tx) => {
    const moved = await archiveDelivered(tx.db, delivered, tx.now())
    return moved.length + (await writeOthers(tx, sources, others))
  })
}

async function writeOthers(
  tx: Transaction,
  sources: EndpointSources,
  others: readonly Outcome[],
): Promise<number> {
  if (others.length === 0) return 0
  const outcomes = await recheckEndpoints(tx, sources, latestPerDelivery(others))
  const leaving = await deleteFinished(tx, outcomes.filter(isFinal))
  const staying = await requeue(
    tx,
    outcomes.filter((outcome) => !isFinal(outcome)),
  )
  const written = new Set([...leaving, ...staying])
  const own = outcomes.filter((outcome) => written.has(outcome.delivery.id))
  await insertAttempts(
    tx,
    own.flatMap(({ delivery, made }) =>
      made ? [{ delivery, number: delivery.attempts + 1, ...made }] : [],
    ),
  )
  const cancelled = own.filter(({ verdict }) => verdict.kind === 'cancelled')
  await insertFinished(tx, cancelled.map(countAttempt), 'cancelled')
  await insertDeadLetters(tx, own)
  for (const { family, id, why } of endpointsToDisable(own)) {
    if (await sources[family]?.disable?.(tx, id, why)) await pauseDeliveries(tx, id)
  }
  return own.length
}

/**
 * Returns one outcome per delivery, that of its latest lease: a delivery may have been sent again
 * before its first outcome was written, and only the latest lease can still be valid.
 */
function latestPerDelivery(outcomes: readonly Outcome[]): Outcome[] {
  const latest = new Map<string, Outcome>()
  for (const outcome of outcomes) {
    const { id, lease_until } = outcome.delivery
    const known = latest.get(id)
    if (!known || known.delivery.lease_until < lease_until) latest.set(id, outcome)
  }
  return [...latest.values()]
}

/**
 * Rechecks the endpoints of retries: a delivery whose endpoint was deleted during the attempt is
 * cancelled, and one whose endpoint was disabled is paused.
 */
async function recheckEndpoints(
  tx: Transaction,
  sources: EndpointSources,
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  const retries = outcomes.filter(({ verdict }) => verdict.kind === 'retry')
  if (retries.length === 0) return outcomes
  const endpoints = await findEndpoints(
    tx,
    sources,
    retries.map(({ delivery }) => delivery),
  )
  return outcomes.map((outcome) => {
    if (outcome.verdict.kind !== 'retry') return outcome
    const endpoint = endpoints.get(outcome.delivery.endpoint_id)
    if (endpoint?.isActive) return outcome
    return { ...outcome, verdict: { kind: endpoint ? 'held' : 'cancelled' } }
  })
}

function countAttempt({ delivery, made }: Outcome): ClaimedDelivery {
  return made ? { ...delivery, attempts: delivery.attempts + 1 } : delivery
}

function isFinal(outcome: Outcome): boolean {
  return LEAVES_QUEUE.has(outcome.verdict.kind)
}

async function deleteFinished(tx: Transaction, outcomes: readonly Outcome[]): Promise<string[]> {
  if (outcomes.length === 0) return []
  const leases = outcomes.map(({ delivery }) => [delivery.id, delivery.lease_token])
  const { rows } = await unprepared(sql<{ id: string }>`
    delete from deliveries where id in (
      select deliveries.id from ${valuesTable(tx.db, ['text', 'text'], leases)} as lease
      join deliveries on deliveries.id = lease.c0 and deliveries.lease_token = lease.c1
    ) returning id`).execute(tx.db)
  return rows.map((row) => row.id)
}

const REQUEUE_COLUMNS: readonly ColumnType[] = [
  'text',
  'text',
  'bigint',
  'bigint',
  'bigint',
  'bigint',
]

async function requeue(tx: Transaction, outcomes: readonly Outcome[]): Promise<string[]> {
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
  const { rows } = await unprepared(sql<{ id: string }>`
    update deliveries set next_at = entry.c2, held_at = entry.c3, attempt = entry.c4,
      attempts = entry.c5, tier = case when entry.c4 > 0 then 1 else 0 end,
      lease_token = null, lease_until = null
    from ${valuesTable(tx.db, REQUEUE_COLUMNS, next)} as entry
    where deliveries.id = entry.c0 and deliveries.lease_token = entry.c1
    returning deliveries.id as id`).execute(tx.db)
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
      session_id: delivery.session_id,
      created_at: delivery.created_at,
      died_at: now,
      expires_at: now + DEAD_LETTER_RETENTION_MS[delivery.family],
    }))
  if (dead.length > 0) await tx.db.insertInto('dead_letters').values(dead).execute()
}

/** Returns the endpoints that responded with 410 or whose last retry failed, each once. */
function endpointsToDisable(outcomes: readonly Outcome[]) {
  const found = new Map<
    string,
    { family: ClaimedDelivery['family']; id: string; why: 'gone' | 'exhausted' }
  >()
  for (const { delivery, verdict } of outcomes) {
    const { family, endpoint_id: id } = delivery
    if (verdict.kind === 'exhausted') found.set(id, { family, id, why: 'exhausted' })
    else if (verdict.kind === 'failed' && verdict.disable)
      found.set(id, { family, id, why: 'gone' })
  }
  return found.values()
}
