import { type Context, transaction } from '../../context.ts'
import { emit } from '../../events.ts'
import { isoTime } from '../../http/pagination.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../lib/durations.ts'
import { findTenant, leadFormOf } from '../../tenants/tenants.ts'
import { chatStrings } from '../session/strings.ts'
import { transition } from '../session/transitions.ts'
import { type AwaitingRow, listAwaiting, markAlerted } from './store.waiting.ts'

/** The team is notified of a visitor who has waited for an operator this long. */
const ALERT_AFTER_MS = MINUTE_MS
/** An operator who is online may take this many times the site's timeout for an answer. */
const ONLINE_PATIENCE = 5
const MAX_SESSIONS = 200
/** A timeout, the longest patience included, has passed by then. */
const MAX_WAIT_MS = DAY_MS

/**
 * Handles unanswered visitors: notifies the team after a minute (`visitor.waiting`), and
 * gives the conversation back to the bot after the site's timeout. Idempotent, and safe in several
 * processes at once.
 */
export async function attendWaiting(ctx: Context): Promise<void> {
  const now = ctx.now()
  const rows = await listAwaiting(ctx.db, { now, since: now - MAX_WAIT_MS, limit: MAX_SESSIONS })
  for (const row of rows) {
    const since = waitingSince(row)
    if (since === undefined || now - since < ALERT_AFTER_MS) continue
    if (row.waiting_alerted_at === null || row.waiting_alerted_at < since) {
      await alertTeam(ctx, row, since)
    }
    const patience = row.is_assignee_online ? ONLINE_PATIENCE : 1
    if (now - since >= row.timeout_seconds * SECOND_MS * patience) await returnToBot(ctx, row)
  }
}

/** Returns the time since which the visitor waits; `undefined` when an operator wrote last. */
function waitingSince(row: AwaitingRow): number | undefined {
  if (row.state === 'waiting') return row.waiting_since ?? row.updated_at
  if (row.last_role === 'operator') return undefined
  return Math.max(row.unanswered_at ?? 0, row.changed_at ?? 0)
}

function alertTeam(ctx: Context, row: AwaitingRow, since: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    if (!(await markAlerted(tx.db, row, { since, now: tx.now() }))) return
    await emit(tx, 'visitor.waiting', {
      workspaceId: row.workspace_id,
      tenantId: row.tenant_id,
      source: row.channel,
      data: { tenant_id: row.tenant_id, session_id: row.id, waiting_since: isoTime(since) },
    })
  })
}

function returnToBot(ctx: Context, row: AwaitingRow): Promise<void> {
  return transaction(ctx, async (tx) => {
    const tenant = await findTenant(tx.db, row.tenant_id)
    if (!tenant) return
    const words = chatStrings(row.locale)
    const hasForm = leadFormOf(tenant).enabled
    await transition(tx, row, {
      from: [row.state],
      holder: { anyone: true },
      // An operator who writes at this moment has answered.
      messageCount: row.message_count,
      to: 'bot',
      assignee: null,
      reason: 'unanswered',
      says: hasForm ? words.nobodyFree : words.nobodyFreeWithoutForm,
      ...(hasForm ? { form: 'lead' } : {}),
    })
  })
}
