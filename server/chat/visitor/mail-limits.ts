import type { Context, Transaction } from '../../context.ts'
import { incrementMailCount, removeMailCounts } from './store.mail-limits.ts'

const DAY_MS = 86_400_000

/**
 * Counts a mail to an address that a visitor has named; false when it has had its share of the day,
 * whoever sent it and whatever was erased meanwhile. Of the address a keyed digest is kept, for a day.
 */
export async function tryConsumeMailQuota(
  tx: Transaction,
  { email, purpose, max }: { email: string; purpose: 'visitor' | 'appointment'; max: number },
): Promise<boolean> {
  const recipient = tx.secrets.digest(`${purpose} ${email.toLowerCase()}`)
  const now = tx.now()
  const sent = await incrementMailCount(tx.db, { recipient, now, until: now + DAY_MS })
  return sent <= max
}

/** Forgets who was written to, once that limits nothing any more. */
export async function expireMailLimits(ctx: Context): Promise<void> {
  await removeMailCounts(ctx.db, ctx.now())
}
