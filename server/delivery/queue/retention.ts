import { sql } from 'kysely'
import { type Context, transaction } from '../../context.ts'
import { type Delivery, insertFinished } from './history.ts'
import { PAUSED_RETENTION_MS, ATTEMPT_RETENTION_MS } from '../retry-policy.ts'

/** Rows per transaction, so that other transactions wait only briefly. */
const CHUNK = 500

/** Erases the bodies of expired dead letters and paused deliveries; their rows stay readable. */
export async function expireDeadLetters(ctx: Context): Promise<void> {
  const now = ctx.now()
  await deleteInBatches(() =>
    transaction(ctx, async (tx) => {
      const { rows } = await sql<Delivery>`
        delete from dead_letters where id in (
          select id from dead_letters where expires_at <= ${now} limit ${CHUNK}
        ) returning *`.execute(tx.db)
      await insertFinished(tx, rows, 'expired')
      return rows.length
    }),
  )
  await deleteInBatches(() =>
    transaction(ctx, async (tx) => {
      const { rows } = await sql<Delivery>`
        delete from deliveries where id in (
          select id from deliveries where held_at <= ${now - PAUSED_RETENTION_MS} limit ${CHUNK}
        ) returning *`.execute(tx.db)
      await insertFinished(tx, rows, 'expired')
      return rows.length
    }),
  )
}

/** Deletes attempts and finished deliveries past their retention. Idempotent. */
export async function expireAttempts(ctx: Context): Promise<void> {
  const before = ctx.now() - ATTEMPT_RETENTION_MS
  await deleteInBatches(async () => {
    const { rows } = await sql`
      delete from delivery_attempts where (delivery_id, number) in (
        select delivery_id, number from delivery_attempts
        where started_at < ${before} limit ${CHUNK}
      ) returning number`.execute(ctx.db)
    return rows.length
  })
  await deleteInBatches(async () => {
    const { rows } = await sql`
      delete from finished_deliveries where id in (
        select id from finished_deliveries where finished_at < ${before} limit ${CHUNK}
      ) returning id`.execute(ctx.db)
    return rows.length
  })
}

/** Deletes finished recoveries past their retention. Idempotent. */
export async function expireRecoveries(ctx: Context): Promise<void> {
  await sql`
    delete from delivery_recoveries where finished_at < ${ctx.now() - ATTEMPT_RETENTION_MS}`.execute(
    ctx.db,
  )
}

async function deleteInBatches(step: () => Promise<number>): Promise<void> {
  while ((await step()) === CHUNK);
}
