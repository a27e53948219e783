import { z } from 'zod'
import { text } from '../http/text-field.ts'

const Instant = z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-24T08:00:00Z' })
/** A day of the tenant's zone, or an instant. */
const Edge = z.union([z.iso.date(), Instant])

export const SlotQuery = z.strictObject({
  from: Edge.optional(),
  to: Edge.optional(),
  service: z.string().max(80).optional(),
})
export type SlotQuery = z.infer<typeof SlotQuery>

/** Free slots, in order; times are UTC, `time_zone` is the site's. */
export const Slots = z.object({
  time_zone: z.string(),
  data: z.array(z.object({ start: z.string(), end: z.string() })),
})
export type Slots = z.infer<typeof Slots>

export const BookAppointment = z.strictObject({
  start: Instant,
  service: z.string().max(80).optional(),
  name: text(1, 200),
  phone: z.string().trim().min(3).max(40).optional(),
  email: z.string().trim().min(3).max(254).optional(),
  /** Required when the site's `privacy.consent_required` is true. */
  consent: z.boolean().optional(),
})
export type BookAppointment = z.infer<typeof BookAppointment>

export const AppointmentState = z.enum(['booked', 'cancelled'])

export const Appointment = z.object({
  appointment_id: z.string(),
  tenant_id: z.string(),
  chatbot_id: z.string(),
  session_id: z.string().nullable(),
  service: z.string().nullable(),
  start: z.string(),
  end: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  source: z.string(),
  state: AppointmentState,
  consent: z.object({ text: z.string(), version: z.string(), given_at: z.string() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The signed link that moves or cancels the appointment; only in the response to the booking. */
  manage_url: z.string().optional(),
})
export type Appointment = z.infer<typeof Appointment>

/** Moves or cancels an appointment, or corrects its contact. */
export const AppointmentPatch = z
  .strictObject({
    start: Instant.optional(),
    state: z.literal('cancelled').optional(),
    name: text(1, 200).optional(),
    phone: z.string().trim().min(3).max(40).nullable().optional(),
    email: z.string().trim().min(3).max(254).nullable().optional(),
  })
  .refine((patch) => patch.state === undefined || patch.start === undefined, {
    message: 'cannot be moved and cancelled at once',
    path: ['start'],
  })
export type AppointmentPatch = z.infer<typeof AppointmentPatch>

/** The calendar of a site. Anyone who knows the address can read it. */
export const CalendarFeed = z.object({
  url: z.string().describe('Booked appointments from 30 days ago on, as iCalendar'),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>
