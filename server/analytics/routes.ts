import { z } from 'zod'
import { NamedTenants } from '../chat/visitor/named-tenants.ts'
import { TenantId } from '../tenants/schema.ts'
import { findTenant } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { parseDays } from '../credits/range.ts'
import { Range } from '../credits/schema.ts'
import { getWorkspace } from '../platform/auth/store.ts'
import { PUBLIC, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { sendCsv } from '../http/csv-download.ts'
import { parsePlainJson } from '../http/requests/bodies.ts'
import { invalidFields, assertOwned } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { csvLine } from '../lib/csv.ts'
import { addDays } from '../lib/days.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { recordWidgetEvents } from './widget-events.ts'
import { Accepted, Figures, ReportEvents, Summary } from './schema.ts'
import { MAX_DAYS, summarize } from './summary.ts'

const COLUMNS = ['day', ...Figures.keyof().options] as const
const tags = ['Analytics']
const Query = z.strictObject({ ...Range, tenant_id: TenantId.optional() })
type Query = z.infer<typeof Query>

const ingest = {
  config: {
    access: PUBLIC,
    pool: null,
    mayFail: ['not_found', 'origin_not_allowed', 'rate_limited'],
  },
  schema: {
    summary: 'Report events of a page; JSON, also as text/plain',
    tags,
    body: ReportEvents,
    response: { 202: Accepted },
  },
} as const

const read = {
  config: { access: members('analytics:read'), pool: 'default', mayFail: ['not_found'] },
  schema: {
    summary: "Totals and days in the workspace's time zone; the last 30 by default",
    tags,
    querystring: Query,
    response: { 200: Summary },
  },
} as const

const asCsv = {
  config: { access: members('analytics:read'), pool: 'default', mayFail: ['not_found'] },
  schema: { summary: 'The days as CSV', tags, querystring: Query, produces: ['text/csv'] },
} as const

/** Registers the ingest of widget events and the summaries. */
export async function analyticsRoutes(
  app: App,
  ctx: Context,
  { limits }: { limits: Limits },
): Promise<void> {
  const tenants = new NamedTenants(ctx, limits, 'analytics')
  await app.register(async (scope: App) => {
    parsePlainJson(scope)
    scope.post(
      '/api/v1/analytics/events',
      {
        ...ingest,
        preValidation: (request, reply) => tenants.count(request, reply),
      },
      async (request, reply) => {
        const tenant = await tenants.open(request, reply)
        await recordWidgetEvents(ctx, tenant, request.body)
        return reply.code(202).send({ accepted: request.body.events.length })
      },
    )
  })

  app.get('/api/v1/analytics/summary', read, async (request) =>
    summaryFor(requireMember(request), request.query),
  )

  app.get('/api/v1/analytics/summary.csv', asCsv, async (request, reply) => {
    const { series } = await summaryFor(requireMember(request), request.query)
    const lines = series.map((row) => csvLine(COLUMNS.map((column) => row[column])))
    return sendCsv(request, reply, {
      fileName: 'analytics.csv',
      lines: [csvLine(COLUMNS), ...lines],
    })
  })

  async function summaryFor({ workspaceId }: UserCaller, query: Query): Promise<Summary> {
    const { tenant_id: tenantId } = query
    const { time_zone } = await getWorkspace(ctx.db, workspaceId)
    const days = parseDays(query, time_zone, ctx.now())
    if (days.to > addDays(days.from, MAX_DAYS - 1)) {
      const message = `is more than ${MAX_DAYS - 1} days before to`
      throw invalidFields([{ path: '/from', message }])
    }
    if (tenantId !== undefined) {
      assertOwned((await findTenant(ctx.db, tenantId))?.workspace_id, workspaceId, 'tenant')
    }
    return summarize(ctx, { workspaceId, tenantId, ...days }, time_zone)
  }
}
