import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { PUBLIC, managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { constantTimeEqual } from '../lib/constant-time.ts'
import { DAY_MS } from '../lib/durations.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { type TenantRow, findTenant } from '../tenants/tenants.ts'
import { TenantId } from '../tenants/schema.ts'
import { calendarFile } from './calendar-file.ts'
import { appointmentStrings, calendarEntry } from './emails.ts'
import { CalendarFeed } from './schema.ts'
import { findFeedVersion, listAppointments, raiseFeedVersion } from './store.ts'

/** Appointments of a feed; calendars keep what they have read. */
const MAX_IN_FEED = 5_000
const FEED_PAST_MS = 30 * DAY_MS
const REFRESH_SECONDS = 900

const tags = ['Appointments']
const Path = z.object({ tenant_id: TenantId })
const FeedPath = z.object({
  tenant_id: TenantId,
  file: z.string().max(100).describe('The signature, followed by `.ics`'),
})

const show = {
  config: { access: members('chat:manage'), pool: 'default' },
  schema: {
    summary: "The address of a site's calendar, for calendar apps to subscribe to",
    tags,
    params: Path,
    response: { 200: CalendarFeed },
  },
} as const

const reset = {
  config: { access: managers('chat:manage'), pool: 'default' },
  schema: {
    summary: 'Replace the address of the calendar; the current one ends at once',
    tags,
    params: Path,
    response: { 200: CalendarFeed },
  },
} as const

const feed = {
  config: { access: PUBLIC, pool: 'open' },
  schema: { hide: true, params: FeedPath },
} as const

/** Registers the calendar of a site: its secret address, and what calendar apps read there. */
export function calendarFeedRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/tenants/:tenant_id/calendar-feed', show, async (request) => {
    const tenant = await openTenant(request.params.tenant_id, requireMember(request).workspaceId)
    return { url: feedUrl(tenant.id, await findFeedVersion(ctx.db, tenant)) }
  })

  app.post('/api/v1/tenants/:tenant_id/calendar-feed', reset, async (request) => {
    const { workspaceId } = requireMember(request)
    const tenant = await openTenant(request.params.tenant_id, workspaceId)
    const version = await transaction(ctx, async (tx) => {
      await recordAudit(tx, workspaceId, {
        actor: actorOf(request),
        action: 'tenant.changed',
        subject: { type: 'tenant', id: tenant.id },
        details: { fields: ['calendar_feed'] },
      })
      return raiseFeedVersion(tx.db, tenant)
    })
    return { url: feedUrl(tenant.id, version) }
  })

  app.get('/api/v1/calendars/:tenant_id/:file', feed, async (request, reply) => {
    const { tenant_id: id, file } = request.params
    const tenant = await findTenant(ctx.db, id)
    const version = tenant && (await findFeedVersion(ctx.db, tenant))
    const signatures = version === undefined ? [] : ctx.secrets.digests(signedText(id, version))
    const isSigned = signatures.some((each) => constantTimeEqual(file, `${each}.ics`))
    if (!tenant || !isSigned) {
      throw new AppError('not_found', 'This calendar does not exist. Its address may have changed.')
    }
    const rows = await listAppointments(ctx.db, tenant.workspace_id, {
      tenantId: tenant.id,
      state: 'booked',
      from: ctx.now() - FEED_PAST_MS,
      to: undefined,
      limit: MAX_IN_FEED,
      after: undefined,
    })
    const words = appointmentStrings(tenant.locale)
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', `private, max-age=${REFRESH_SECONDS}`)
      .send(calendarFile(rows, (row) => calendarEntry(ctx, { tenant, row }, words)))
  })

  async function openTenant(id: string, workspaceId: string): Promise<TenantRow> {
    const tenant = await findTenant(ctx.db, id)
    assertOwned(tenant?.workspace_id, workspaceId, 'tenant')
    if (!tenant) throw new AppError('not_found', 'This site does not exist.')
    return tenant
  }

  function feedUrl(tenantId: string, version: number): string {
    const signature = ctx.secrets.digest(signedText(tenantId, version))
    return `${ctx.config.publicUrl ?? ''}/api/v1/calendars/${tenantId}/${signature}.ics`
  }
}

/** The signed text: another version makes another address. */
function signedText(tenantId: string, version: number): string {
  return `calendar-feed:${tenantId}:${version}`
}
