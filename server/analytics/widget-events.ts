import type { TenantRow } from '../tenants/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { addCount } from './counter-store.ts'
import type { NewCount, ReportEvents } from './schema.ts'
import { DAY_MS } from '../lib/durations.ts'

/** Maximum age of an event; an older or a future event counts at the time of its arrival. */
const MAX_EVENT_AGE_MS = DAY_MS

type SubjectSet = NonNullable<NewCount['subjects']>

/** Counts a batch of widget events: by type, and the sums of their numbers. */
export async function recordWidgetEvents(
  ctx: Context,
  tenant: TenantRow,
  { events }: ReportEvents,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const now = tx.now()
    for (const { type, at, props = {} } of events) {
      const reportedAt = Date.parse(at)
      const numbers = Object.entries(props).flatMap(([name, value]): SubjectSet =>
        typeof value === 'number'
          ? [{ kind: 'number', subject: `${type} ${name}`, count: 1, amount: value }]
          : [],
      )
      addCount(tx, {
        workspaceId: tenant.workspace_id,
        tenantId: tenant.id,
        at: reportedAt <= now && reportedAt >= now - MAX_EVENT_AGE_MS ? reportedAt : now,
        metrics: { widget_events: 1 },
        subjects: [{ kind: 'event', subject: type, count: 1 }, ...numbers],
      })
    }
  })
}
