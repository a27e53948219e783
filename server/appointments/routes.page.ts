import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { assignWorkspace } from '../storage/workspace-scope.ts'
import { findTenant } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { PUBLIC } from '../http/access.ts'
import { clientNetwork } from '../http/addresses.ts'
import type { App } from '../http/app-type.ts'
import { parseForms } from '../http/requests/bodies.ts'
import { AppError } from '../http/errors.ts'
import { freeSlots, isChangeable } from './availability.ts'
import { changeAppointment } from './book.ts'
import { calendarFile } from './calendar-file.ts'
import { appointmentStrings, calendarEntry } from './emails.ts'
import { verifyManageLink } from './manage-links.ts'
import { type PageOutcome, PAGE_STYLE, appointmentPage } from './page.ts'
import type { AppointmentRow } from './store.ts'
import { MINUTE_MS } from '../lib/durations.ts'

const MAX_FORM = 2_048
const STYLE_DIGEST = createHash('sha256').update(PAGE_STYLE).digest('base64')
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_DIGEST}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const LinkPath = z.object({ appointment_id: z.string().max(64), signature: z.string().max(100) })
const PageAction = z.union([
  z.strictObject({ start: z.iso.datetime({ offset: true }) }),
  z.strictObject({ cancel: z.literal('yes') }),
])

const config = { access: PUBLIC, pool: 'open' } as const
const show = { config, schema: { hide: true, params: LinkPath } } as const
const change = { config, schema: { hide: true, params: LinkPath, body: PageAction } } as const

/** Registers the page that moves or cancels an appointment, by its signed link, and its calendar file. */
export function appointmentPageRoutes(app: App, ctx: Context): void {
  void app.register(async (pages: App) => {
    parseForms(pages, MAX_FORM)

    pages.get('/appointments/:appointment_id/:signature', show, async (request, reply) => {
      const { appointment_id: id, signature } = request.params
      return sendPage(reply, await verifyManageLink(ctx, { id, signature }), undefined)
    })

    pages.get(
      '/appointments/:appointment_id/:signature/calendar.ics',
      show,
      async (request, reply) => {
        const { appointment_id: id, signature } = request.params
        const row = await verifyManageLink(ctx, { id, signature })
        const tenant = await loadTenantForPage(row)
        const strings = appointmentStrings(row.locale)
        return reply
          .type('text/calendar; charset=utf-8')
          .headers({
            'content-disposition': 'attachment; filename="appointment.ics"',
            'cache-control': 'no-store',
          })
          .send(calendarFile([row], () => calendarEntry(ctx, { tenant, row }, strings)))
      },
    )

    pages.post('/appointments/:appointment_id/:signature', change, async (request, reply) => {
      const { appointment_id: id, signature } = request.params
      const row = await verifyManageLink(ctx, { id, signature })
      const { changed, outcome } = await handleAction(row, clientNetwork(request), request.body)
      return sendPage(reply, changed, outcome)
    })
  })

  async function handleAction(
    row: AppointmentRow,
    client: string,
    action: z.infer<typeof PageAction>,
  ): Promise<{ changed: AppointmentRow; outcome: PageOutcome }> {
    const tenant = await loadTenantForPage(row)
    if (!isChangeable(ctx, tenant, row)) return { changed: row, outcome: 'tooLate' }
    try {
      const patch = 'start' in action ? { start: action.start } : { state: 'cancelled' as const }
      const changed = await changeAppointment(ctx, { tenant, client, row }, patch)
      return { changed, outcome: 'done' }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { changed: row, outcome: 'taken' }
    }
  }

  async function sendPage(
    reply: FastifyReply,
    row: AppointmentRow,
    outcome: PageOutcome,
  ): Promise<FastifyReply> {
    const tenant = await loadTenantForPage(row)
    const minutes = (row.end_at - row.start_at) / MINUTE_MS
    const isOpen = row.state === 'booked' && isChangeable(ctx, tenant, row)
    const slots = isOpen ? (await freeSlots(ctx, tenant, {}, minutes)).data : []
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .send(appointmentPage({ tenant, row, slots }, outcome))
  }

  async function loadTenantForPage(row: AppointmentRow) {
    const tenant = await findTenant(ctx.db, row.tenant_id)
    if (!tenant) throw new AppError('not_found', 'This appointment does not exist.')
    assignWorkspace(tenant.workspace_id)
    return tenant
  }
}
