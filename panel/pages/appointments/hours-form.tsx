import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { OfficeHours, Service, Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { CheckField, TextField } from '../../ui/field.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Card } from '../../ui/page.tsx'
import { HolidayList } from './holiday-list.tsx'
import { OpeningHours } from './opening-hours.tsx'
import { ServiceList } from './service-list.tsx'

const MINUTES_PER_HOUR = 60
/** Defaults of the server. */
const DEFAULT_NOTICE = '0'
const DEFAULT_AHEAD = '90'

/** Bookable services and hours; owners and admins change them. */
export function HoursForm({ tenant, words }: { tenant: Tenant; words: Words }): VNode {
  const { api, reloadSites, session, toasts, words: common } = useApp()
  const form = useForm()
  const { appointment = {} } = tenant.forms
  const { holidays: closed = [], ...week } = tenant.office_hours
  const isEnabled = useSignal(appointment.enabled !== false)
  const services = useSignal<Service[]>(appointment.services ?? [])
  const slot = useSignal(String(tenant.slot_minutes))
  const notice = useSignal(hoursText(appointment.notice_minutes))
  const ahead = useSignal(numberText(appointment.days_ahead))
  const notify = useSignal(appointment.notify_email ?? '')
  const hours = useSignal<OfficeHours>(week)
  // Two lists of earlier settings close the same days.
  const holidays = useSignal([...new Set([...closed, ...(appointment.holidays ?? [])])].toSorted())
  const mayChange = session.me.value?.user.role !== 'operator'

  async function save(): Promise<void> {
    await api.patch(`tenants/${encodeURIComponent(tenant.tenant_id)}`, {
      slot_minutes: Number(slot.value),
      office_hours: {
        ...hours.value,
        ...(holidays.value.length > 0 ? { holidays: holidays.value } : {}),
      },
      forms: {
        ...tenant.forms,
        appointment: {
          enabled: isEnabled.value,
          services: services.value,
          ...(notice.value === ''
            ? {}
            : { notice_minutes: Math.round(Number(notice.value) * MINUTES_PER_HOUR) }),
          ...(ahead.value === '' ? {} : { days_ahead: Number(ahead.value) }),
          ...(notify.value.trim() === '' ? {} : { notify_email: notify.value.trim() }),
        },
      },
    })
    await reloadSites()
  }

  const at = '/forms/appointment'
  return (
    <fieldset disabled={!mayChange}>
      {!mayChange && <p class="soft read-only">{words.hours.readOnly}</p>}
      <Form
        form={form}
        action={common.value.save}
        send={save}
        done={() => toasts.done(common.value.saved)}
      >
        <Card title={words.hours.booking}>
          <div class="stack">
            <CheckField look="switch" label={words.hours.enabled} value={isEnabled} />
            <ServiceList services={services} words={words} errorOf={form.errorOf} />
            <div class="grid">
              <TextField
                label={words.hours.slot}
                type="number"
                min={5}
                max={480}
                value={slot}
                error={form.errorOf('/slot_minutes')}
              />
              <TextField
                label={words.hours.notice}
                type="number"
                min={0}
                step={0.5}
                placeholder={DEFAULT_NOTICE}
                value={notice}
                error={form.errorOf(`${at}/notice_minutes`)}
              />
              <TextField
                label={words.hours.ahead}
                type="number"
                min={1}
                max={365}
                placeholder={DEFAULT_AHEAD}
                value={ahead}
                error={form.errorOf(`${at}/days_ahead`)}
              />
              <TextField
                label={words.hours.notify}
                hint={words.hours.notifyHint}
                type="email"
                value={notify}
                error={form.errorOf(`${at}/notify_email`)}
              />
            </div>
          </div>
        </Card>
        <Card title={words.hours.opening}>
          <p class="soft hours-hint">{words.hours.openingHint}</p>
          <OpeningHours hours={hours} words={words} />
        </Card>
        <Card title={words.hours.holidays}>
          <HolidayList holidays={holidays} words={words} />
        </Card>
      </Form>
    </fieldset>
  )
}

function hoursText(minutes: number | undefined): string {
  return minutes === undefined ? '' : String(minutes / MINUTES_PER_HOUR)
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}
