import { z } from 'zod'
import { type ChatTool, type ToolContext, visitorWrote } from '../chat/handoff/chat-tool.ts'
import { appointmentFormOf, privacyOf } from '../tenants/tenants.ts'
import type { Context } from '../context.ts'
import { siteClientKey, tryCountBooking } from '../http/rate-limits.ts'
import { freeSlots, serviceMinutes } from './availability.ts'
import { bookAppointment } from './book.ts'
import { formatWhen } from './emails.ts'
import { BookAppointment } from './schema.ts'

const MAX_LISTED = 12
/** The number of the visitor's last messages in which the chosen hour has to be. */
const RECENT_MESSAGES = 6
const CONTACT = ['name', 'phone', 'email'] as const
const Input = BookAppointment.omit({ consent: true }).partial()

/** Books a free slot for the visitor, or lists the free slots. */
export const bookAppointmentTool: ChatTool = {
  name: 'book_appointment',
  description:
    'Without "start" it lists the free times, from now on or from the day "from". With "start", one of these times, it books the time that the visitor has chosen, with the name and the phone number or e-mail address that the visitor has written.',
  schema: z.toJSONSchema(Input.extend({ from: z.iso.date().optional() })),

  // A consent is given in the form only.
  isOffered: ({ tenant }) =>
    appointmentFormOf(tenant).enabled && !privacyOf(tenant).consent_required,

  async run(ctx, place, input) {
    const { from, ...rest } = z.looseObject({ from: z.iso.date().optional() }).parse(input)
    const fields = BookAppointment.omit({ consent: true }).safeParse(rest)
    if (!fields.success) return listFreeTimes(ctx, place, from, Input.safeParse(rest).data?.service)
    const { start, phone, email } = fields.data
    if (phone === undefined && email === undefined) {
      return { result: 'Ask the visitor for a phone number or an e-mail address.' }
    }
    const unsaid = CONTACT.filter((part) => {
      const value = fields.data[part]
      return value !== undefined && !visitorWrote(place, value)
    })
    if (unsaid.length > 0) {
      return { result: `The visitor did not write this: ${unsaid.join(', ')}. Ask.` }
    }
    if (!mentionedHour(place, Date.parse(start))) {
      return { result: 'The visitor has not chosen this time. Ask which time they want.' }
    }
    const { tenant, session, client = session.id } = place
    if (!(await tryCountBooking(ctx, siteClientKey(tenant.id, client)))) {
      return { result: 'Too many bookings were made for now. Ask the visitor to try in an hour.' }
    }
    const booked = await bookAppointment(ctx, place, { fields: fields.data, key: undefined })
    return { result: `Booked for ${formatForVisitor(place, booked.start)}. Tell the visitor.` }
  },
}

async function listFreeTimes(
  ctx: Context,
  place: ToolContext,
  from: string | undefined,
  service: string | undefined,
) {
  const { services = [] } = appointmentFormOf(place.tenant)
  const known = services.some(({ name }) => name === service) ? service : undefined
  const minutes = serviceMinutes(place.tenant, known)
  const { data } = await freeSlots(ctx, place.tenant, { from }, minutes)
  const times = data
    .slice(0, MAX_LISTED)
    .map(({ start }) => `${start} is ${formatForVisitor(place, start)}`)
  const names = services.map(({ name }) => name).join(', ')
  const free = times.length > 0 ? `Free: ${times.join('; ')}.` : 'Nothing is free then.'
  return {
    result: names ? `${free} Services: ${names}.` : free,
    form: 'appointment' as const,
  }
}

function formatForVisitor({ tenant, session }: ToolContext, start: string): string {
  return formatWhen(Date.parse(start), session.locale, tenant.time_zone)
}

/** A document must not choose the slot: the visitor wrote the hour, on a 12- or 24-hour clock. */
function mentionedHour({ tenant, transcript }: ToolContext, start: number): boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: tenant.time_zone,
  })
  const hour = Number(clock.format(start))
  const numbers = transcript.slice(-RECENT_MESSAGES).flatMap((text) => text.match(/\d+/g) ?? [])
  return numbers.some((number) => Number(number) === hour || Number(number) === hour % 12)
}
