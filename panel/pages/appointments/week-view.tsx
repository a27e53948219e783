import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Appointment } from '../../../server/appointments/schema.ts'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Loaded } from '../../ui/page.tsx'
import { allAppointments } from './all-appointments.ts'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { addDays, dayName, minutesOf, mondayOf, timeName, todayIn, zoned } from './zone.ts'

/** The lines of the days have the same height in the style sheet. */
const HOUR_PX = 64
/** Shorter appointments have room for one line. */
const SHORT_MINUTES = 40
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Seven days on the site's clock; on a phone one below the other. */
export function WeekView({ tenant, words }: { tenant: Tenant; words: Words }): VNode {
  const { api, language, router, session } = useApp()
  const opened = useSignal<Appointment | undefined>(undefined)
  const today = todayIn(tenant.time_zone)
  const asked = router.query.value.get('week') ?? ''
  const monday = mondayOf(/^\d{4}-\d\d-\d\d$/.test(asked) ? asked : today)
  const days = WEEKDAYS.map((_, index) => addDays(monday, index))
  const week = useResource<Appointment[]>(`${tenant.tenant_id} ${monday}`, async (signal) => {
    // The zone's midnight lies within a day of UTC's.
    const from = `${addDays(monday, -1)}T00:00:00Z`
    const to = `${addDays(monday, 8)}T00:00:00Z`
    const filter = { tenant_id: tenant.tenant_id, state: 'booked', from, to }
    const found = await allAppointments(api, filter, signal)
    return found.filter(({ start }) => days.includes(zoned(start, tenant.time_zone).day))
  })
  const isOff = !isBookable(tenant)
  const mayChange = session.me.value?.user.role !== 'operator'
  const month = dayName(monday, language.value, { month: 'long', year: 'numeric' })

  return (
    <>
      <div class="row between week-head">
        <h2>{month}</h2>
        <div class="row">
          <Button
            small
            icon="left"
            label={words.previous}
            onPress={() => router.setQuery({ week: addDays(monday, -7) })}
          />
          <Button small onPress={() => router.setQuery({ week: undefined })}>
            {words.today}
          </Button>
          <Button
            small
            icon="right"
            label={words.following}
            onPress={() => router.setQuery({ week: addDays(monday, 7) })}
          />
        </div>
      </div>
      <Loaded of={week} lines={10}>
        {(appointments) =>
          isOff && appointments.length === 0 ? (
            <Card>
              <Empty
                icon="calendar"
                title={words.offTitle}
                action={
                  mayChange && (
                    <Button kind="primary" href={`${BASE}/appointments/hours`}>
                      {words.offAction}
                    </Button>
                  )
                }
              >
                {words.offText}
              </Empty>
            </Card>
          ) : (
            <Grid
              tenant={tenant}
              days={days}
              today={today}
              appointments={appointments}
              words={words}
              onOpen={(appointment) => (opened.value = appointment)}
            />
          )
        }
      </Loaded>
      {opened.value && (
        <AppointmentDialog
          appointment={opened.value}
          tenant={tenant}
          words={words}
          onChanged={week.reload}
          onClose={() => (opened.value = undefined)}
        />
      )}
    </>
  )
}

function Grid({
  tenant,
  days,
  today,
  appointments,
  words,
  onOpen,
}: {
  tenant: Tenant
  days: readonly string[]
  today: string
  appointments: readonly Appointment[]
  words: Words
  onOpen: (appointment: Appointment) => void
}): VNode {
  const { language } = useApp()
  const { time_zone: timeZone } = tenant
  const [first, last] = hoursShown(tenant, appointments)
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const closed = new Set([
    ...(tenant.office_hours.holidays ?? []),
    ...(tenant.forms.appointment?.holidays ?? []),
  ])
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  return (
    <>
      {appointments.length === 0 && <p class="soft empty-week">{words.emptyWeek}</p>}
      <div class="week">
        <div class="hours" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour} style={{ height: `${HOUR_PX}px` }}>
              {`${String(hour).padStart(2, '0')}:00`}
            </span>
          ))}
        </div>
        {days.map((day) => {
          const booked = appointments.filter(({ start }) => zoned(start, timeZone).day === day)
          return (
            <section
              key={day}
              class={`day-column${day === today ? ' today' : ''}${booked.length === 0 ? ' none' : ''}`}
              aria-label={dayName(day, language.value, {
                weekday: 'long',
                day: 'numeric',
                month: 'long',
              })}
            >
              <h3>
                {dayName(day, language.value, { weekday: 'short' })}{' '}
                <b>{dayName(day, language.value, { day: 'numeric' })}</b>
                {closed.has(day) && <span class="soft small"> {words.closed}</span>}
              </h3>
              <div class="day-body" style={{ height: `${hours.length * HOUR_PX}px` }}>
                {booked.map((appointment) => {
                  const { minutes } = zoned(appointment.start, timeZone)
                  const length =
                    (Date.parse(appointment.end) - Date.parse(appointment.start)) / 60_000
                  return (
                    <button
                      key={appointment.appointment_id}
                      type="button"
                      class={length < SHORT_MINUTES ? 'appointment short' : 'appointment'}
                      style={{
                        top: `${((minutes - first * 60) / 60) * HOUR_PX}px`,
                        height: `${Math.max(24, (length / 60) * HOUR_PX - 2)}px`,
                      }}
                      onClick={() => onOpen(appointment)}
                    >
                      <span class="number">
                        {timeName(appointment.start, language.value, clock)}
                      </span>{' '}
                      <b>{appointment.name}</b> <span class="service">{appointment.service}</span>
                    </button>
                  )
                })}
              </div>
            </section>
          )
        })}
      </div>
    </>
  )
}

/** Whether visitors can book: within opening hours, unless booking is switched off. */
function isBookable({ office_hours: office, forms }: Tenant): boolean {
  const isOpen = WEEKDAYS.some((day) => (office[day] ?? []).length > 0)
  return isOpen && forms.appointment?.enabled !== false
}

/** The hours that hold the opening hours and every appointment, as [first, last). */
function hoursShown(
  { office_hours: office, time_zone: timeZone }: Tenant,
  appointments: readonly Appointment[],
): [number, number] {
  const ranges = WEEKDAYS.flatMap((day) => office[day] ?? [])
  const starts = ranges.map(({ from }) => minutesOf(from))
  const ends = ranges.map(({ from, to }) =>
    minutesOf(to) > minutesOf(from) ? minutesOf(to) : 24 * 60,
  )
  for (const { start, end } of appointments) {
    const { minutes } = zoned(start, timeZone)
    starts.push(minutes)
    ends.push(minutes + (Date.parse(end) - Date.parse(start)) / 60_000)
  }
  const first = Math.floor(Math.min(9 * 60, ...starts) / 60)
  return [first, Math.min(24, Math.ceil(Math.max(17 * 60, ...ends) / 60))]
}
