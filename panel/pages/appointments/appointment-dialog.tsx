import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { Appointment, Slots } from '../../../server/appointments/schema.ts'
import type { Tenant } from '../../../server/tenants/schema.ts'
import { useApp } from '../../app/app-context.ts'
import { useResource } from '../../app/api/resource.ts'
import { BASE } from '../../app/router.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/page.tsx'
import { momentOf, timeName, todayIn, zoned } from './zone.ts'

interface Props {
  appointment: Appointment
  tenant: Tenant
  words: Words
  onChanged: () => unknown
  onClose: () => void
}

/** One appointment: the contact, and moving or cancelling it. Both sides get mails. */
export function AppointmentDialog(props: Props): VNode {
  const { appointment, tenant, words, onChanged, onClose } = props
  const { api, toasts, language, format } = useApp()
  const step = useSignal<'read' | 'move' | 'cancel'>('read')
  const { time_zone: timeZone } = tenant
  const path = `appointments/${encodeURIComponent(appointment.appointment_id)}`
  const when = timeName(appointment.start, language.value, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  })

  if (step.value === 'cancel') {
    return (
      <Confirm
        title={words.cancelTitle(appointment.name)}
        action={words.cancel}
        dismiss={words.keep}
        onConfirm={async () => {
          await api.patch(path, { state: 'cancelled' })
          toasts.done(words.cancelled)
          onChanged()
        }}
        onClose={onClose}
      >
        <p>{words.cancelText}</p>
      </Confirm>
    )
  }
  if (step.value === 'move') return <MoveDialog {...props} />
  return (
    <Dialog title={appointment.name} onClose={onClose}>
      <dl class="definitions">
        <dt>{words.when}</dt>
        <dd>{when}</dd>
        {appointment.service && (
          <>
            <dt>{words.service}</dt>
            <dd>{appointment.service}</dd>
          </>
        )}
        {appointment.email && (
          <>
            <dt>{words.email}</dt>
            <dd>
              <a href={`mailto:${appointment.email}`}>{appointment.email}</a>
            </dd>
          </>
        )}
        {appointment.phone && (
          <>
            <dt>{words.phone}</dt>
            <dd>
              <a href={`tel:${appointment.phone}`}>{appointment.phone}</a>
            </dd>
          </>
        )}
        <dt>{words.state}</dt>
        <dd>{words.states[appointment.state]}</dd>
        <dt>{words.booked}</dt>
        <dd>{format.value.dateTime(appointment.created_at)}</dd>
      </dl>
      <div class="dialog-actions">
        {appointment.session_id && (
          <Button icon="inbox" href={`${BASE}/inbox/${appointment.session_id}`}>
            {words.openConversation}
          </Button>
        )}
        {appointment.state === 'booked' && (
          <>
            <Button danger onPress={() => (step.value = 'cancel')}>
              {words.cancel}
            </Button>
            <Button kind="primary" onPress={() => (step.value = 'move')}>
              {words.move}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Chooses a new time among the free ones of a day. */
function MoveDialog({ appointment, tenant, words, onChanged, onClose }: Props): VNode {
  const { api, toasts, explain, language } = useApp()
  const { time_zone: timeZone } = tenant
  const day = useSignal(zoned(appointment.start, timeZone).day)
  const path = `appointments/${encodeURIComponent(appointment.appointment_id)}`
  const { session_id: sessionId, service } = appointment
  const slots = useResource<Slots>(
    sessionId && day.value ? `${sessionId} ${day.value}` : '',
    (signal) =>
      api.get(
        `chatbot/sessions/${sessionId}/slots`,
        { from: day.value, to: day.value, service: service ?? undefined },
        signal,
      ),
  )

  async function move(start: string, canUndo = true): Promise<void> {
    try {
      await api.patch(path, { start })
      onChanged()
      onClose()
      const time = timeName(start, language.value, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone,
      })
      toasts.done(
        words.moved(time),
        canUndo ? () => void move(appointment.start, false) : undefined,
      )
    } catch (error) {
      toasts.failed(explain(error))
      void slots.reload()
    }
  }

  return (
    <Dialog title={words.moveTitle} onClose={onClose}>
      <div class="stack">
        <p class="soft">{words.moveText}</p>
        <TextField label={words.day} type="date" value={day} min={todayIn(timeZone)} />
        {sessionId === null ? (
          <FreeChoice
            words={words}
            day={day.value}
            timeZone={timeZone}
            onPick={(start) => move(start)}
          />
        ) : (
          <Loaded of={slots} lines={3}>
            {({ data }) =>
              data.length === 0 ? (
                <p>{words.noTimes}</p>
              ) : (
                <div class="times" role="group" aria-label={words.freeTimes}>
                  {data.map(({ start }) => (
                    <Button key={start} small onPress={() => move(start)}>
                      {timeName(start, language.value, { timeStyle: 'short', timeZone })}
                    </Button>
                  ))}
                </div>
              )
            }
          </Loaded>
        )}
      </div>
    </Dialog>
  )
}

/** Without its conversation the free times are unknown: the server refuses a taken one. */
function FreeChoice({
  words,
  day,
  timeZone,
  onPick,
}: {
  words: Words
  day: string
  /** The site's, as of all times of its calendar. */
  timeZone: string
  onPick: (start: string) => Promise<void>
}): VNode {
  const time = useSignal('09:00')
  const start = momentOf(day, time.value, timeZone)
  return (
    <div class="row">
      <TextField label={words.time} type="time" value={time} />
      <Button
        kind="primary"
        disabled={start === undefined}
        onPress={() => start !== undefined && onPick(start)}
      >
        {words.move}
      </Button>
    </div>
  )
}
