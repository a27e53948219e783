import type { Transaction } from '../context.ts'
import type { Milli } from '../lib/money.ts'
import { dayOf } from '../lib/days.ts'
import type { Caller } from '../platform/callers.ts'
import { findWorkspace } from '../platform/store.ts'
import type { UsageKind } from './schema.ts'
import type { BalanceRow } from './store.ts'
import { addUsage, writeDay } from './store.usage.ts'

/** What a run was for and what the model read and wrote; what is left out is not counted anywhere. */
export interface Usage {
  promptId?: string | undefined
  /** The tenant whose bot answered. */
  tenantId?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  inputTokens: number
  outputTokens: number
}

/** Whom a run is counted for: the user, and the key it came with. A visitor is nobody here. */
export function usedBy(caller: Caller): Pick<Usage, 'userId' | 'keyId'> {
  return caller.kind === 'visitor' ? {} : { userId: caller.id, keyId: caller.keyId }
}

/**
 * Counts a settled run for the day, and for each of what it was for. The balance must be as the
 * settlement left it, in the same transaction: its lock keeps the counters in one order.
 */
export async function countUsage(
  tx: Transaction,
  balance: BalanceRow,
  used: Milli,
  usage: Usage,
): Promise<void> {
  const subjects: [UsageKind, string | undefined][] = [
    ['day', ''],
    ['prompt', usage.promptId],
    ['bot', usage.tenantId],
    ['key', usage.keyId],
    ['user', usage.userId],
  ]
  await addUsage(tx.db, {
    workspaceId: balance.workspace_id,
    day: await dayOfBalance(tx, balance),
    subjects: subjects.flatMap(([kind, subject]) =>
      subject === undefined ? [] : [{ kind, subject }],
    ),
    credits: used,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  })
}

/**
 * The day in the workspace's time zone. Worked out once a day; a new time zone counts from the end
 * of the day that had begun.
 */
async function dayOfBalance(tx: Transaction, balance: BalanceRow): Promise<string> {
  const now = tx.now()
  if (balance.day_from <= now && now < balance.day_until) return balance.day
  const workspace = await findWorkspace(tx.db, balance.workspace_id)
  if (!workspace) throw new Error(`There is no workspace ${balance.workspace_id}.`)
  const day = dayOf(now, workspace.time_zone)
  await writeDay(tx.db, balance.workspace_id, day)
  return day.name
}
