import { toStoredConsent, requireConsent, serializeConsent } from '../tenants/consent.ts'
import { EMAIL_FAULT, PHONE_FAULT, parseEmail, parsePhone } from '../chat/visitor/contact.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { MailCause } from '../chat/visitor/visitor-mails.ts'
import type { TenantRow } from '../tenants/tenants.ts'
import { type Context, type Transaction, transaction } from '../context.ts'
import { emit } from '../events.ts'
import { AppError, type FieldError, invalidFields } from '../http/errors.ts'
import { isoTime } from '../http/pagination.ts'
import { newId } from '../lib/ids.ts'
import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import { type RequestKey, claimRequest, storeResponse } from '../platform/idempotency.ts'
import { serviceMinutes, openRangeAt } from './availability.ts'
import { sendBookingEmails } from './emails.ts'
import { manageLink } from './manage-links.ts'
import type { Appointment, AppointmentPatch, BookAppointment } from './schema.ts'
import type { TimeRange } from './slots.ts'
import {
  type AppointmentRow,
  countUpcoming,
  findAppointment,
  insertAppointment,
  listBooked,
  lockCalendar,
  updateAppointment,
} from './store.ts'
import { MINUTE_MS } from '../lib/durations.ts'

/** Appointments in the future. The visitor's bound covers visitors with many conversations. */
const MAX_UPCOMING_PER_SESSION = 3
const MAX_UPCOMING_PER_VISITOR = 10

/**
 * Books a slot, emits `appointment.created` and queues the mails to both sides, in one commit. Locks
 * the site's calendar. Throws 422 for a time that is not open and for a missing consent, and 409 for
 * a slot that is taken and for a visitor with too many appointments. Idempotent with a `key`.
 */
export async function bookAppointment(
  ctx: Context,
  { tenant, session, client }: MailCause & { session: SessionRow },
  { fields, key }: { fields: BookAppointment; key: RequestKey | undefined },
): Promise<Appointment> {
  requireConsent(tenant, fields.consent)
  const contact = await parseContact(fields, tenant)
  const span = openRangeAt(ctx, tenant, fields.start, serviceMinutes(tenant, fields.service))
  const now = ctx.now()
  const row: AppointmentRow = {
    id: newId('apt'),
    workspace_id: tenant.workspace_id,
    tenant_id: tenant.id,
    session_id: session.id,
    chatbot_id: tenant.chatbot_id,
    service: fields.service ?? null,
    start_at: span.start,
    end_at: span.end,
    name: fields.name,
    ...contact,
    locale: session.locale,
    source: session.channel,
    ...toStoredConsent(tenant, fields.consent === true, { now, locale: session.locale }),
    state: 'booked',
    changes: 0,
    created_at: now,
    updated_at: now,
  }
  return transaction(ctx, async (tx) => {
    if (key) await claimRequest(tx, key)
    await claimSlot(tx, tenant, span)
    const { ofSession, ofVisitor } = await countUpcoming(tx.db, session, now)
    if (ofSession >= MAX_UPCOMING_PER_SESSION || ofVisitor >= MAX_UPCOMING_PER_VISITOR) {
      throw new AppError(
        'conflict',
        'You have reached the maximum of upcoming appointments. Move or cancel one.',
      )
    }
    await insertAppointment(tx.db, row)
    await emitBooked(tx, tenant, row)
    await sendBookingEmails(tx, { tenant, client }, { row, what: 'booked' })
    const shown = { ...serializeAppointment(row), manage_url: manageLink(tx, row) }
    if (key) await storeResponse(tx, key, JSON.stringify(shown))
    return shown
  })
}

/**
 * Corrects the contact, moves the appointment to another free slot of the same length, or cancels it,
 * in one commit with the mails to both sides. Locks the site's calendar for a move. Throws 422, and
 * 409 for a slot that is taken and for an appointment that was cancelled. With an `actor`, a member of
 * the workspace, the change is recorded in the audit log.
 */
export async function changeAppointment(
  ctx: Context,
  { tenant, client, row, actor }: MailCause & { row: AppointmentRow; actor?: Actor },
  { start, state, ...contact }: AppointmentPatch,
): Promise<AppointmentRow> {
  const corrected = await applyContactPatch(contact, tenant)
  const minutes = (row.end_at - row.start_at) / MINUTE_MS
  const span = start === undefined ? undefined : openRangeAt(ctx, tenant, start, minutes)
  return transaction(ctx, async (tx) => {
    let changed = row
    if (span) await claimSlot(tx, tenant, span, row.id)
    if (corrected) changed = await updateBooked(tx, row, corrected)
    if (span) {
      changed = await updateBooked(tx, row, { start_at: span.start, end_at: span.end })
      await sendBookingEmails(tx, { tenant, client }, { row: changed, what: 'moved' })
    }
    if (state !== undefined) {
      changed = await updateBooked(tx, row, { state })
      await sendBookingEmails(tx, { tenant, client }, { row: changed, what: 'cancelled' })
    }
    if (state !== undefined) await emitCancelled(tx, tenant, changed)
    else if (span || corrected) await emitChanged(tx, tenant, changed)
    if (actor) await auditChange(tx, row, { actor, fields: { start, state, ...contact } })
    return changed
  })
}

async function applyContactPatch(
  { name, phone, email }: Omit<AppointmentPatch, 'start' | 'state'>,
  tenant: TenantRow,
): Promise<Partial<AppointmentRow> | undefined> {
  if (name === undefined && phone === undefined && email === undefined) return undefined
  const given = { phone: phone ?? undefined, email: email ?? undefined }
  const read = await parseContact(given, tenant)
  return {
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone: read.phone }),
    ...(email === undefined ? {} : { email: read.email }),
  }
}

/** The audit log has the names of the changed fields, not their values: those are personal data. */
function auditChange(
  tx: Transaction,
  { id, workspace_id }: AppointmentRow,
  { actor, fields }: { actor: Actor; fields: AppointmentPatch },
): Promise<void> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return recordAudit(tx, workspace_id, {
    actor,
    action: fields.state === undefined ? 'appointment.changed' : 'appointment.cancelled',
    subject: { type: 'appointment', id },
    details: { fields: given.map(([name]) => name) },
  })
}

async function updateBooked(
  tx: Transaction,
  row: AppointmentRow,
  values: Partial<AppointmentRow>,
): Promise<AppointmentRow> {
  const place = { workspaceId: row.workspace_id, id: row.id }
  const changed = await updateAppointment(tx.db, place, { ...values, updated_at: tx.now() })
  if (changed) return changed
  const isThere = await findAppointment(tx.db, row.id)
  throw isThere
    ? new AppError('conflict', 'This appointment was cancelled.')
    : new AppError('not_found', 'This appointment does not exist.')
}

/**
 * Locks the site's calendar until the end of the transaction, so that concurrent bookings queue.
 * Throws 409 when another appointment overlaps the range.
 */
async function claimSlot(
  tx: Transaction,
  tenant: TenantRow,
  span: TimeRange,
  except?: string,
): Promise<void> {
  await lockCalendar(tx.db, tenant.workspace_id, tenant.id)
  const place = { workspaceId: tenant.workspace_id, tenantId: tenant.id }
  const booked = await listBooked(tx.db, place, span)
  if (booked.some(({ id }) => id !== except)) {
    throw new AppError('conflict', 'This slot is taken. Choose another one.')
  }
}

async function parseContact(
  fields: { phone?: string | undefined; email?: string | undefined },
  tenant: TenantRow,
): Promise<{ phone: string | null; email: string | null }> {
  const phone = fields.phone === undefined ? null : parsePhone(fields.phone, tenant.locale)
  const email = fields.email === undefined ? null : parseEmail(fields.email)
  const errors: FieldError[] = []
  if (phone === undefined) errors.push({ path: '/phone', message: PHONE_FAULT })
  if (email === undefined) errors.push({ path: '/email', message: EMAIL_FAULT })
  if (phone === undefined || email === undefined) throw invalidFields(errors)
  return { phone, email }
}

async function emitBooked(tx: Transaction, tenant: TenantRow, row: AppointmentRow): Promise<void> {
  await emit(tx, 'appointment.created', {
    ...originOf(tenant, row),
    data: { ...eventDataOf(tenant, row), confidence: 1 },
  })
}

async function emitChanged(tx: Transaction, tenant: TenantRow, row: AppointmentRow): Promise<void> {
  await emit(tx, 'appointment.changed', {
    ...originOf(tenant, row),
    data: { ...eventDataOf(tenant, row), changed_at: isoTime(tx.now()) },
  })
}

async function emitCancelled(
  tx: Transaction,
  tenant: TenantRow,
  row: AppointmentRow,
): Promise<void> {
  await emit(tx, 'appointment.cancelled', {
    ...originOf(tenant, row),
    data: { ...eventDataOf(tenant, row), cancelled_at: isoTime(tx.now()) },
  })
}

function originOf(tenant: TenantRow, { workspace_id, source }: AppointmentRow) {
  return { workspaceId: workspace_id, tenantId: tenant.id, sector: tenant.sector, source }
}

function eventDataOf(tenant: TenantRow, row: AppointmentRow) {
  return {
    tenant_id: tenant.id,
    chatbot_id: tenant.chatbot_id,
    session_id: row.session_id ?? '',
    appointment_id: row.id,
    start: isoTime(row.start_at),
    end: isoTime(row.end_at),
    service: row.service,
    name: row.name,
    phone: row.phone,
    email: row.email,
  }
}

/** Returns the appointment as the API shows it. */
export function serializeAppointment(row: AppointmentRow): Appointment {
  return {
    appointment_id: row.id,
    tenant_id: row.tenant_id,
    chatbot_id: row.chatbot_id,
    session_id: row.session_id,
    service: row.service,
    start: isoTime(row.start_at),
    end: isoTime(row.end_at),
    name: row.name,
    phone: row.phone,
    email: row.email,
    source: row.source,
    state: row.state,
    consent: serializeConsent(row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
