import { z } from 'zod'
import { listDays } from '../analytics/store.ts'
import type { Context } from '../context.ts'
import { readCredits } from '../credits/ledger.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { assertOwned } from '../http/errors.ts'
import { addDays, dayOf } from '../lib/days.ts'
import { toMilli } from '../lib/money.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { getWorkspace } from '../platform/auth/store.ts'
import { findTenantOwner } from '../tenants/store.ts'
import { findAnything } from './find.ts'
import { FindQuery, Found, Overview, OverviewQuery } from './schema.ts'
import { countToday, listTopUnanswered, readChecklist, sumCreditsSince } from './store.ts'

/** The days, today included, of the rate of answers and of the pace of credits. */
const RECENT_DAYS = 7
const MAX_UNANSWERED = 5

const config = { access: members('chat:manage'), pool: 'default', mayFail: ['not_found'] } as const

const overview = {
  config,
  schema: {
    summary: "Waiting conversations, today's figures, remaining credits, and next steps",
    tags: ['Workspace'],
    querystring: OverviewQuery,
    response: { 200: Overview },
  },
} as const

const find = {
  config: { access: members('chat:manage'), pool: 'default' },
  schema: {
    summary: 'Find sites, people, leads, documents and conversations by a text, at most 20',
    tags: ['Workspace'],
    querystring: FindQuery,
    response: { 200: z.object({ data: z.array(Found) }) },
  },
} as const

/** Registers the first page of the panel, and its search. */
export function overviewRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/overview', overview, async (request) =>
    readOverview(requireMember(request), request.query.tenant_id),
  )

  app.get('/api/v1/find', find, async (request) => {
    const { workspaceId } = requireMember(request)
    return { data: await findAnything(ctx, workspaceId, request.query.q) }
  })

  async function readOverview(
    { workspaceId }: UserCaller,
    tenantId: string | undefined,
  ): Promise<Overview> {
    if (tenantId !== undefined) {
      assertOwned(await findTenantOwner(ctx.db, tenantId), workspaceId, 'tenant')
    }
    const { time_zone: timeZone } = await getWorkspace(ctx.db, workspaceId)
    const now = ctx.now()
    const today = dayOf(now, timeZone)
    const since = addDays(today.name, 1 - RECENT_DAYS)
    const scope = { workspaceId, tenantId }
    const [counts, days, unanswered, credits, used, done] = await Promise.all([
      countToday(ctx.db, scope, { ...today, now }),
      listDays(ctx.db, { ...scope, from: since, to: today.name }),
      listTopUnanswered(ctx.db, scope, MAX_UNANSWERED),
      readCredits(ctx, workspaceId),
      sumCreditsSince(ctx.db, workspaceId, since),
      readChecklist(ctx.db, scope, new URL(ctx.config.publicUrl ?? 'http://localhost').origin),
    ])
    const { remaining, monthly_limit, addons, reset_at } = credits
    const answered = days.reduce((sum, day) => sum + day.answered, 0)
    const all = answered + days.reduce((sum, day) => sum + day.unanswered, 0)
    return {
      waiting: counts.waiting,
      leads_today: counts.leads,
      appointments_today: counts.appointments,
      answered_rate: all === 0 ? null : Math.round((answered / all) * 1_000) / 1_000,
      unanswered,
      credits: {
        remaining,
        monthly_limit,
        addons,
        reset_at,
        days_left: used === 0 ? null : Math.floor((toMilli(remaining) * RECENT_DAYS) / used),
      },
      checklist: {
        site: done.site === 1,
        knowledge: done.knowledge === 1,
        asked: done.asked === 1,
        installed: done.installed === 1,
        team: done.team === 1,
      },
    }
  }
}
