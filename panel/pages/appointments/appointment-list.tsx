import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Appointment } from '../../../server/appointments/schema.ts'
import type { Tenant } from '../../../server/tenants/schema.ts'
import type { Page, Query } from '../../app/api/api.ts'
import { useApp } from '../../app/app-context.ts'
import { useList } from '../../app/api/resource.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Badge, Card, Empty } from '../../ui/page.tsx'
import { ListTable } from '../../ui/table.tsx'
import { allAppointments } from './all-appointments.ts'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { timeName } from './zone.ts'

const SHOWS = ['upcoming', 'past', 'cancelled', 'all'] as const
type Show = (typeof SHOWS)[number]

/** Appointments as a table: what comes by its time, the rest by when it was booked. */
export function AppointmentList({ tenant, words }: { tenant: Tenant; words: Words }): VNode {
  const { api, language, router } = useApp()
  const opened = useSignal<Appointment | undefined>(undefined)
  const { tenant_id, time_zone: timeZone } = tenant
  const show = SHOWS.find((each) => each === router.query.value.get('show')) ?? 'upcoming'
  const list = useList<Appointment>(`${tenant_id} ${show}`, async (cursor, signal) => {
    const filter: Query = { tenant_id, ...filterOf(show) }
    if (show === 'upcoming') {
      return { data: await allAppointments(api, filter, signal), next_cursor: null }
    }
    return api.get<Page<Appointment>>('appointments', { ...filter, limit: 50, cursor }, signal)
  })
  return (
    <>
      <div class="row list-filter">
        <select
          class="input"
          aria-label={words.show}
          value={show}
          onChange={(event) => router.setQuery({ show: event.currentTarget.value })}
        >
          {SHOWS.map((each) => (
            <option key={each} value={each}>
              {words.shows[each]}
            </option>
          ))}
        </select>
      </div>
      <Card flush>
        <ListTable
          list={list}
          label={words.title}
          rowKey={(row) => row.appointment_id}
          empty={
            <Empty icon="calendar" title={words.emptyTitle}>
              {words.empty}
            </Empty>
          }
          columns={[
            {
              label: words.when,
              cell: (row) => (
                <button type="button" class="link" onClick={() => (opened.value = row)}>
                  {timeName(row.start, language.value, {
                    weekday: 'short',
                    day: 'numeric',
                    month: 'short',
                    year: 'numeric',
                    timeZone,
                  })}
                  {', '}
                  {timeName(row.start, language.value, { timeStyle: 'short', timeZone })}
                </button>
              ),
            },
            { label: words.name, cell: (row) => row.name },
            { label: words.service, cell: (row) => row.service ?? '–' },
            { label: words.contact, cell: (row) => row.email ?? row.phone ?? '–' },
            {
              label: words.state,
              end: true,
              cell: (row) => (
                <Badge tone={row.state === 'booked' ? 'good' : 'plain'}>
                  {words.states[row.state]}
                </Badge>
              ),
            },
          ]}
        />
      </Card>
      {opened.value && (
        <AppointmentDialog
          appointment={opened.value}
          tenant={tenant}
          words={words}
          onChanged={list.reload}
          onClose={() => (opened.value = undefined)}
        />
      )}
    </>
  )
}

function filterOf(show: Show): Query {
  const now = new Date().toISOString()
  if (show === 'upcoming') return { state: 'booked', from: now }
  if (show === 'past') return { state: 'booked', to: now }
  return show === 'cancelled' ? { state: 'cancelled' } : {}
}
