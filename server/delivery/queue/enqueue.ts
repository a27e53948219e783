import type { Transaction } from '../../context.ts'
import { type BulkStatement, executeMany } from '../../storage/bulk.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { LocalConsumer } from './dispatcher.ts'
import type { WebhookKind } from '../signature.ts'

/** One event for one endpoint. */
export interface NewDelivery {
  /** `evt_…` or `wh_…`: one per event and endpoint. */
  id: string
  workspaceId: string
  family: WebhookKind
  endpointId: string
  event: string
  /** The exact bytes to send, as text. */
  body: string
  /** The session that the body describes; the delivery is erased with the session. */
  sessionId?: string | null
  /** Paused until the endpoint is active again. */
  isHeld?: boolean
}

const T = 'text'
const N = 'bigint'
const INSERT: BulkStatement = {
  columns: [T, T, T, T, T, T, T, N, N, T, N, N],
  hints: { isCoalesced: true },
  sql: (source) => `
    insert into deliveries (id, workspace_id, family, endpoint_id, event, body, session_id, next_at,
      held_at, lease_token, lease_until, created_at, tier, attempt, attempts)
    select c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, 0, 0, 0 from ${source} as entry`,
}

/** Inserts deliveries in the transaction of the event that caused them: all of them or none. */
export async function enqueueDeliveries(
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  const now = tx.now()
  const dispatched = new Map<LocalConsumer, ClaimedDelivery[]>()
  const ahead = new Map<string, number>()
  const rows = deliveries.map((entry) => {
    const { endpointId, isHeld = false } = entry
    const before = ahead.get(endpointId) ?? 0
    const reserved = isHeld ? undefined : tx.dispatcher.reserve(endpointId, before)
    const row = newRow(entry, now)
    if (!reserved) return { ...row, lease_token: null, lease_until: null }
    ahead.set(endpointId, before + 1)
    const claimed = { ...row, lease_token: reserved.lease.token, lease_until: reserved.lease.until }
    const own = dispatched.get(reserved.consumer)
    if (own) own.push(claimed)
    else dispatched.set(reserved.consumer, [claimed])
    return claimed
  })
  await executeMany(
    tx.db,
    INSERT,
    rows.map((row) => [
      row.id,
      row.workspace_id,
      row.family,
      row.endpoint_id,
      row.event,
      row.body,
      row.session_id,
      row.next_at,
      row.held_at,
      row.lease_token,
      row.lease_until,
      now,
    ]),
  )
  for (const [consumer, own] of dispatched) tx.afterCommit.push(() => consumer.accept(own))
  const undispatched = rows.filter((row) => row.next_at !== null && row.lease_token === null)
  if (undispatched.length === 0) return
  const endpoints = new Set(undispatched.map((row) => row.endpoint_id))
  tx.afterCommit.push(() => tx.dispatcher.notifyWorkers(endpoints))
}

/** Notifies the workers after the commit that deliveries are due. */
export function notifyAfterCommit(tx: Transaction): void {
  tx.afterCommit.push(() => tx.dispatcher.notifyWorkers())
}

function newRow({ isHeld = false, ...entry }: NewDelivery, now: number) {
  return {
    id: entry.id,
    workspace_id: entry.workspaceId,
    family: entry.family,
    endpoint_id: entry.endpointId,
    event: entry.event,
    body: entry.body,
    session_id: entry.sessionId ?? null,
    tier: 0,
    attempt: 0,
    attempts: 0,
    next_at: isHeld ? null : now,
    held_at: isHeld ? now : null,
    created_at: now,
  }
}
