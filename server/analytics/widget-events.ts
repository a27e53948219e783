import type { TenantRow } from '../tenants/tenants.ts'
import { type Context, transaction } from '../context.ts'
import { addCount } from './counter-store.ts'
import type { NewCount, ReportEvents } from './schema.ts'

/** An event may be told so late, in milliseconds; an older or a coming one counts as of now. */
const MAX_EVENT_AGE_MS = 86_400_000

type SubjectSet = NonNullable<NewCount['subjects']>

/** Counts what a page reports: how often of each type, and the sums of the numbers with them. */
export async function recordWidgetEvents(
  ctx: Context,
  tenant: TenantRow,
  { events }: ReportEvents,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const now = tx.now()
    for (const { type, at, props = {} } of events) {
      const told = Date.parse(at)
      const numbers = Object.entries(props).flatMap(([name, value]): SubjectSet =>
        typeof value === 'number'
          ? [{ kind: 'number', subject: `${type} ${name}`, count: 1, amount: value }]
          : [],
      )
      addCount(tx, {
        workspaceId: tenant.workspace_id,
        tenantId: tenant.id,
        at: told > now || told < now - MAX_EVENT_AGE_MS ? now : told,
        metrics: { widget_events: 1 },
        subjects: [{ kind: 'event', subject: type, count: 1 }, ...numbers],
      })
    }
  })
}
