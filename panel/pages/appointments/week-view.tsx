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
import { closedSpans, hasHours, openSpans, WEEKDAYS } from './open-hours.ts'
import {
  addDays,
  clockName,
  dayName,
  minutesOf,
  mondayOf,
  timeName,
  todayIn,
  weekName,
  zoned,
} from './zone.ts'

/** The lines of the days have the same height in the style sheet. */
const HOUR_PX = 64
/** Shorter appointments have room for one line, or for two without space around them. */
const SHORT_MINUTES = 30
const TIGHT_MINUTES = 40

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

  return (
    <>
      <div class="row between week-head">
        <h2>{weekName(monday, language.value)}</h2>
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
  const { format, language } = useApp()
  const { time_zone: timeZone } = tenant
  const [first, last] = hoursShown(tenant, appointments)
  const hours = Array.from({ length: last - first }, (_, index) => first + index)
  const top = (minutes: number): string => `${((minutes - first * 60) / 60) * HOUR_PX}px`
  const height = (minutes: number): string => `${(minutes / 60) * HOUR_PX}px`
  const clock = (minutes: number): string => clockName(minutes, language.value, 'short')
  return (
    <>
      {appointments.length === 0 && <p class="soft empty-week">{words.emptyWeek}</p>}
      <div class="week">
        <div class="hours" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour} style={{ height: `${HOUR_PX}px` }}>
              {clockName(hour * 60, language.value, 'hour')}
            </span>
          ))}
        </div>
        {days.map((day) => {
          const booked = appointments.filter(({ start }) => zoned(start, timeZone).day === day)
          const open = openSpans(tenant, day).map(([from, to]) => `${clock(from)}–${clock(to)}`)
          const isClosed = open.length === 0
          const opening = isClosed ? words.closed : words.open(format.value.list(open))
          const name = dayName(day, language.value, {
            weekday: 'long',
            day: 'numeric',
            month: 'long',
          })
          return (
            <section
              key={day}
              class={`day-column${day === today ? ' today' : ''}${booked.length === 0 ? ' none' : ''}`}
              aria-label={isClosed || hasHours(tenant) ? `${name}. ${opening}` : name}
            >
              <h3>
                {dayName(day, language.value, { weekday: 'short' })}{' '}
                <b>{dayName(day, language.value, { day: 'numeric' })}</b>
                {isClosed && <span class="soft small"> {words.closed}</span>}
              </h3>
              <div class="day-body" style={{ height: `${hours.length * HOUR_PX}px` }}>
                {closedSpans(tenant, day, [first * 60, last * 60]).map(([from, to]) => (
                  <i
                    key={from}
                    class="closed-hours"
                    style={{ top: top(from), height: height(to - from) }}
                  />
                ))}
                {booked.map((appointment) => {
                  const { minutes } = zoned(appointment.start, timeZone)
                  const length =
                    (Date.parse(appointment.end) - Date.parse(appointment.start)) / 60_000
                  return (
                    <button
                      key={appointment.appointment_id}
                      type="button"
                      class={`appointment ${fitOf(length)}`}
                      style={{
                        top: top(minutes),
                        height: `${Math.max(24, (length / 60) * HOUR_PX - 2)}px`,
                      }}
                      onClick={() => onOpen(appointment)}
                    >
                      <span class="number">
                        {timeName(appointment.start, language.value, {
                          timeStyle: 'short',
                          timeZone,
                        })}
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

function fitOf(minutes: number): string {
  if (minutes < SHORT_MINUTES) return 'short'
  return minutes < TIGHT_MINUTES ? 'tight' : ''
}

/** Whether visitors can book: within opening hours, unless booking is switched off. */
function isBookable(tenant: Tenant): boolean {
  return hasHours(tenant) && tenant.forms.appointment?.enabled !== false
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
