import { z } from 'zod'
import { type TenantRow, findTenant } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { sendCsv } from '../http/csv-download.ts'
import type { Limits } from '../http/rate-limits.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { pageSchema } from '../http/pagination.ts'
import { csvLine } from '../lib/csv.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { changeAppointment, serializeAppointment } from './book.ts'
import { type CalendarEntry, calendarFile } from './calendar-file.ts'
import { appointmentStrings, calendarEntry } from './emails.ts'
import { calendarFeedRoutes } from './routes.feed.ts'
import {
  AppointmentsFilter,
  AppointmentsQuery,
  parseFilter,
  readAppointments,
} from './appointment-list.ts'
import { appointmentPageRoutes } from './routes.page.ts'
import { visitorAppointmentRoutes } from './routes.visitor.ts'
import { Appointment, AppointmentPatch } from './schema.ts'
import { type AppointmentRow, findAppointment, listAppointments } from './store.ts'

/** Rows of one CSV or calendar file; filters select the others. */
const MAX_IN_FILE = 10_000
const COLUMNS = [
  'appointment_id',
  'tenant_id',
  'start',
  'end',
  'service',
  'name',
  'phone',
  'email',
  'state',
  'source',
  'created_at',
] as const

const config = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Appointments']
const Path = z.object({ appointment_id: z.string().max(64) })

const list = {
  config,
  schema: {
    summary: 'Appointments, newest booking first',
    tags,
    querystring: AppointmentsQuery,
    response: { 200: pageSchema(Appointment) },
  },
} as const

const read = {
  config,
  schema: { summary: 'One appointment', tags, params: Path, response: { 200: Appointment } },
} as const

const change = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Move, cancel or correct an appointment; both sides get a mail',
    tags,
    params: Path,
    body: AppointmentPatch,
    response: { 200: Appointment },
  },
} as const

const asCsv = {
  config,
  schema: {
    summary: 'Appointments as CSV',
    tags,
    querystring: AppointmentsFilter,
    produces: ['text/csv'],
  },
} as const

const asCalendar = {
  config,
  schema: {
    summary: 'Appointments as a calendar file',
    tags,
    querystring: AppointmentsFilter,
    produces: ['text/calendar'],
  },
} as const

const oneAsCalendar = {
  config,
  schema: {
    summary: 'One appointment as a calendar file',
    tags,
    params: Path,
    produces: ['text/calendar'],
  },
} as const

/** Registers the routes of the calendar: for members, for visitors, and the page of the link. */
export function appointmentRoutes(app: App, ctx: Context, { limits }: { limits: Limits }): void {
  visitorAppointmentRoutes(app, ctx, limits)

  app.get('/api/v1/appointments', list, async (request) =>
    readAppointments(ctx, requireMember(request).workspaceId, request.query),
  )

  app.get('/api/v1/appointments.csv', asCsv, async (request, reply) => {
    const rows = await listRows(requireMember(request), request.query)
    const lines = rows.map((row) => {
      const shown = serializeAppointment(row)
      return csvLine(COLUMNS.map((column) => shown[column]))
    })
    return sendCsv(request, reply, {
      fileName: 'appointments.csv',
      lines: [csvLine(COLUMNS), ...lines],
    })
  })

  app.get('/api/v1/appointments.ics', asCalendar, async (request, reply) => {
    const rows = await listRows(requireMember(request), request.query)
    const tenants = new Map<string, TenantRow | undefined>()
    for (const id of new Set(rows.map(({ tenant_id }) => tenant_id))) {
      tenants.set(id, await findTenant(ctx.db, id))
    }
    const file = calendarFile(rows, (row) => entryFor(row, tenants.get(row.tenant_id)))
    return reply.type('text/calendar; charset=utf-8').send(file)
  })

  app.get(
    '/api/v1/appointments/:appointment_id(^apt_[0-9A-Za-z]+).ics',
    oneAsCalendar,
    async (request, reply) => {
      const row = await openAppointment(request.params.appointment_id, requireMember(request))
      const tenant = await findTenant(ctx.db, row.tenant_id)
      return reply
        .type('text/calendar; charset=utf-8')
        .send(calendarFile([row], () => entryFor(row, tenant)))
    },
  )

  app.get('/api/v1/appointments/:appointment_id', read, async (request) =>
    serializeAppointment(
      await openAppointment(request.params.appointment_id, requireMember(request)),
    ),
  )

  app.patch('/api/v1/appointments/:appointment_id', change, async (request) => {
    const row = await openAppointment(request.params.appointment_id, requireMember(request))
    const tenant = await findTenant(ctx.db, row.tenant_id)
    if (!tenant) throw new AppError('not_found', 'The site of this appointment was removed.')
    const actor = actorOf(request)
    return serializeAppointment(
      await changeAppointment(ctx, { tenant, client: undefined, row, actor }, request.body),
    )
  })

  async function openAppointment(id: string, caller: UserCaller): Promise<AppointmentRow> {
    const row = await findAppointment(ctx.db, id)
    assertOwned(row?.workspace_id, caller.workspaceId, 'appointment')
    if (!row) throw new AppError('not_found', 'This appointment does not exist.')
    return row
  }

  function listRows(
    { workspaceId }: UserCaller,
    query: AppointmentsFilter,
  ): Promise<AppointmentRow[]> {
    const page = { ...parseFilter(query), limit: MAX_IN_FILE - 1, after: undefined }
    return listAppointments(ctx.db, workspaceId, page)
  }

  function entryFor(row: AppointmentRow, tenant: TenantRow | undefined): CalendarEntry {
    const strings = appointmentStrings(tenant?.locale ?? row.locale)
    return calendarEntry(ctx, { tenant: { name: tenant?.name ?? row.tenant_id }, row }, strings)
  }

  appointmentPageRoutes(app, ctx)
  calendarFeedRoutes(app, ctx)
}
