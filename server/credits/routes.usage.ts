import type { Context } from '../context.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { PageQuery } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { toCredits } from '../lib/money.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { getWorkspace } from '../platform/auth/store.ts'
import { parseDays } from './range.ts'
import { Range, UsageKind, UsagePage, type UsageRow } from './schema.ts'
import { type UsageSum, listUsageDays, listUsageSubjects, sumUsage } from './store.usage.ts'

const usage = {
  config: { access: managers('credits:read'), pool: 'default' },
  schema: {
    summary: 'Credits used per day, prompt, bot, key or user; the last 30 days by default',
    tags: ['Credits'],
    querystring: PageQuery.extend({ ...Range, by: UsageKind.default('day') }),
    response: { 200: UsagePage },
  },
} as const

/** Usage of credits by day and by subject. */
export function usageRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/credits/usage', usage, async (request) => {
    const { by, limit, cursor } = request.query
    const { workspaceId } = requireMember(request)
    const { time_zone } = await getWorkspace(ctx.db, workspaceId)
    const days = parseDays(request.query, time_zone, ctx.now())
    const { db } = ctx
    const rows =
      by === 'day'
        ? await listUsageDays(db, workspaceId, { ...days, limit, after: cursor?.id })
        : await listUsageSubjects(db, workspaceId, {
            ...days,
            kind: by,
            limit,
            after: cursor && { credits: cursor.at, subject: cursor.id },
          })
    const positionOf = (row: UsageSum) => ({ at: row.credits, id: row.subject })
    const total = await sumUsage(db, workspaceId, days)
    return {
      ...toPage(rows, limit, positionOf, serializeUsageSum),
      by,
      ...days,
      total: serializeAmounts(total),
    }
  })
}

function serializeUsageSum(sum: UsageSum): UsageRow {
  return { subject: sum.subject, ...serializeAmounts(sum) }
}

function serializeAmounts(sum: Omit<UsageSum, 'subject'>): Omit<UsageRow, 'subject'> {
  const { runs, credits, input_tokens, output_tokens } = sum
  return { runs, credits_used: toCredits(credits), input_tokens, output_tokens }
}
