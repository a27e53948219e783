import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Context } from '../context.ts'
import { CounterFamily, metricsOf } from '../lib/instruments.ts'
import { sharedCount } from '../storage/shared-counts.ts'

/** Counts the credits that settlements charge. */
export const settledCredits = metricsOf((registry) =>
  new CounterFamily(registry, {
    name: 'sohbet_credits_settled_total',
    help: 'Credits charged by settled holds in this process',
  }).series({}),
)

/** Exposes the number of open holds and the age of the oldest. */
export function exposeHolds(ctx: Context): void {
  const holds = sharedCount(ctx, 'credit_holds', () => countHolds(ctx))
  const open = new Gauge({
    name: 'sohbet_credit_holds_open',
    help: 'Credit holds that are neither settled nor released',
    registers: [ctx.metrics],
    async collect() {
      open.set((await holds())?.count ?? Number.NaN)
    },
  })
  const oldest = new Gauge({
    name: 'sohbet_credit_holds_oldest_age_seconds',
    help: 'Age of the oldest open credit hold; 0 when none is open',
    registers: [ctx.metrics],
    async collect() {
      const found = await holds()
      if (!found) oldest.set(Number.NaN)
      else oldest.set(Math.max(0, ctx.now() - (found.oldest ?? ctx.now())) / 1000)
    },
  })
}

async function countHolds(ctx: Context): Promise<{ count: number; oldest: number | null }> {
  const { rows } = await sql<{ count: number; oldest: number | null }>`
    select count(*) as count, min(created_at) as oldest from holds`.execute(ctx.db)
  return rows[0] ?? { count: 0, oldest: null }
}
