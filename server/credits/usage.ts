import type { Transaction } from '../context.ts'
import type { Milli } from '../lib/money.ts'
import { dayOf } from '../lib/days.ts'
import type { Caller } from '../platform/auth/authenticator.ts'
import { findWorkspace } from '../platform/auth/store.ts'
import type { UsageKind } from './schema.ts'
import type { BalanceRow } from './store.ts'
import { type RunUsage, addUsage, writeDay } from './store.usage.ts'

/** The subjects and tokens of a run; an absent subject has no counter. */
export interface UsageCount {
  promptId?: string | undefined
  /** The tenant whose bot answered. */
  tenantId?: string | undefined
  keyId?: string | undefined
  userId?: string | undefined
  inputTokens: number
  outputTokens: number
}

/** Returns the user and key whose usage a run counts towards; neither for a visitor. */
export function usedBy(caller: Caller): Pick<UsageCount, 'userId' | 'keyId'> {
  return caller.kind === 'visitor' ? {} : { userId: caller.id, keyId: caller.keyId }
}

/** Returns the counters of a run. `day` counts every run. */
export function countersOf(usage: UsageCount): RunUsage {
  const subjects: [UsageKind, string | undefined][] = [
    ['day', ''],
    ['prompt', usage.promptId],
    ['bot', usage.tenantId],
    ['key', usage.keyId],
    ['user', usage.userId],
  ]
  return {
    subjects: subjects.flatMap(([kind, subject]) =>
      subject === undefined ? [] : [{ kind, subject }],
    ),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  }
}

/**
 * Counts runs towards the current day of the workspace's time zone. The first run of a day computes
 * the day and stores it with the balance; a new time zone takes effect at the end of the stored day.
 * The caller holds the lock of the balance, which orders the updates of the counters.
 */
export async function countUsage(
  tx: Transaction,
  balance: BalanceRow,
  runs: readonly (RunUsage & { cost: Milli })[],
): Promise<void> {
  if (runs.length === 0) return
  const workspaceId = balance.workspace_id
  const now = tx.now()
  const isToday = balance.day_from <= now && now < balance.day_until
  const day = isToday ? balance.day : await startDay(tx, workspaceId)
  await addUsage(tx.db, { workspaceId, day }, runs)
}

async function startDay(tx: Transaction, workspaceId: string): Promise<string> {
  const workspace = await findWorkspace(tx.db, workspaceId)
  if (!workspace) throw new Error(`There is no workspace ${workspaceId}.`)
  const day = dayOf(tx.now(), workspace.time_zone)
  await writeDay(tx.db, workspaceId, day)
  return day.name
}
