import { parseOfficeHours } from '../tenants/office-hours.ts'
import { type TenantRow, appointmentFormOf } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import type { SlotQuery, Slots } from './schema.ts'
import {
  type Calendar,
  type TimeRange,
  startOfRange,
  endOfRange,
  openRanges,
  withoutBooked,
} from './slots.ts'
import { type AppointmentRow, listBooked } from './store.ts'
import { DAY_MS, MINUTE_MS } from '../lib/durations.ts'

const DEFAULT_DAYS = 14
const MAX_DAYS = 62
const DEFAULT_DAYS_AHEAD = 90

/** Returns the free slots of a range, in order. Throws 422 for a range that is empty or too long. */
export async function freeSlots(
  ctx: Context,
  tenant: TenantRow,
  { from, to }: Pick<SlotQuery, 'from' | 'to'>,
  minutes: number,
): Promise<Slots> {
  const { time_zone: timeZone } = tenant
  const start = from === undefined ? ctx.now() : startOfRange(from, timeZone)
  const end = to === undefined ? start + DEFAULT_DAYS * DAY_MS : endOfRange(to, timeZone)
  if (!(end > start && end - start <= MAX_DAYS * DAY_MS)) {
    const message = `must be after "from", by at most ${MAX_DAYS} days`
    throw invalidFields([{ path: '/to', message }])
  }
  const range = {
    start: Math.max(start, earliestStart(ctx, tenant)),
    end: Math.min(end, latestStart(ctx, tenant)),
  }
  const spans =
    appointmentFormOf(tenant).enabled && range.start < range.end
      ? openRanges(parseCalendar(tenant), range, minutes)
      : []
  const place = { workspaceId: tenant.workspace_id, tenantId: tenant.id }
  const booked =
    spans.length > 0 ? await listBooked(ctx.db, place, { start, end: end + DAY_MS }) : []
  const free = withoutBooked(spans, booked)
  return {
    time_zone: timeZone,
    data: free.map((span) => ({ start: isoTime(span.start), end: isoTime(span.end) })),
  }
}

/** Returns whether the visitor may still change an appointment: the site's notice period is ahead. */
export function isChangeable(ctx: Context, tenant: TenantRow, row: AppointmentRow): boolean {
  return row.state === 'booked' && row.start_at > earliestStart(ctx, tenant)
}

/**
 * Returns the open range that begins at a time. Throws 422 where no range begins, and for a time
 * within the notice period or beyond the site's horizon.
 */
export function openRangeAt(
  ctx: Context,
  tenant: TenantRow,
  start: string,
  minutes: number,
): TimeRange {
  const at = Date.parse(start)
  // The bounds come first: the search for a slot takes instants of the next year only.
  const isInTime = at >= earliestStart(ctx, tenant) && at < latestStart(ctx, tenant)
  const [span] =
    isInTime && appointmentFormOf(tenant).enabled
      ? openRanges(parseCalendar(tenant), { start: at, end: at + 1 }, minutes)
      : []
  if (span) return span
  const message = 'is not a time that can be booked. See the slots.'
  throw invalidFields([{ path: '/start', message }])
}

/** Returns the length of a service in minutes. Throws 422 for a service that the site does not have. */
export function serviceMinutes(tenant: TenantRow, service: string | undefined): number {
  const { services = [] } = appointmentFormOf(tenant)
  if (service === undefined) return tenant.slot_minutes
  const known = services.find(({ name }) => name === service)
  if (known) return known.minutes
  // Without a list of services, `service` is a note of the visitor; the slot has the default length.
  if (services.length === 0) return tenant.slot_minutes
  throw invalidFields([{ path: '/service', message: 'is not one of the services' }])
}

function parseCalendar(tenant: TenantRow): Calendar {
  return { ...parseOfficeHours(tenant), slotMinutes: tenant.slot_minutes }
}

function earliestStart(ctx: Context, tenant: TenantRow): number {
  return ctx.now() + (appointmentFormOf(tenant).notice_minutes ?? 0) * MINUTE_MS
}

function latestStart(ctx: Context, tenant: TenantRow): number {
  return ctx.now() + (appointmentFormOf(tenant).days_ahead ?? DEFAULT_DAYS_AHEAD) * DAY_MS
}
