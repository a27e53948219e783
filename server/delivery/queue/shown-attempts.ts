import type { Context } from '../../context.ts'
import { isoTime } from '../../http/pagination.ts'
import type { Attempt } from '../schema.ts'
import { type AttemptRow, listAttempts } from './store.ts'

/** Reads the attempts of a page of deliveries; the returned function gives those of one. */
export async function listAttemptsFor(
  ctx: Context,
  rows: readonly { id: string }[],
): Promise<(id: string) => Attempt[]> {
  const found = await listAttempts(
    ctx.db,
    rows.map((row) => row.id),
  )
  const byDelivery = Map.groupBy(found, (attempt) => attempt.delivery_id)
  return (id) => (byDelivery.get(id) ?? []).map(serializeAttempt)
}

function serializeAttempt(row: AttemptRow): Attempt {
  const { number, status, error, latency_ms, answer } = row
  return { number, at: isoTime(row.started_at), status, error, latency_ms, answer }
}
