import { signal } from '../runtime/signals.ts'
import type { VNode } from 'preact'
import { Refusal } from '../chat/api.ts'
import type { Appointment } from '../../server/appointments/schema.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import { newId } from '../chat/new-id.ts'
import { calendarFormats } from './calendar-formats.ts'
import css from './calendar.css?inline'
import type { Continuity } from '../session/continuity.tsx'
import type { AppContext } from '../ui/app-context.ts'

/** Days that are asked for, and shown, at a time. */
const DAYS_SHOWN = 7
const DAYS_AHEAD = 56
const DAY_MS = 86_400_000
const FIELDS = ['name', 'phone', 'email'] as const

const isAbout = (refusal: unknown, field: string): boolean =>
  refusal instanceof Refusal && refusal.problem.errors?.[0]?.path === `/${field}`

interface Slot {
  start: string
  end: string
}

/** Free times of some days, and a short form to take one. */
export function start(
  app: AppContext,
  { calendar: strings, contact, ...more }: LazyStrings,
  { forms, policyLink }: Continuity,
): void {
  const { host, chat, ui } = app
  const { api, config } = host
  const { tag, dir } = ui.strings
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const timeZone = config?.time_zone ?? own
  const formats = calendarFormats(tag, timeZone)

  /** Days from now to the first one shown. */
  const offset = signal(0)
  const days = signal<Map<string, Slot[]> | undefined>(undefined)
  const day = signal('')
  const chosen = signal('')
  const consent = config?.privacy.consent_required
    ? config.forms.lead.consent_text || contact.consent
    : ''
  const services = config?.forms.appointment.services ?? []
  const service = signal(services[0]?.name ?? '')
  const error = signal('')
  /** The field that the error is about. */
  const wrong = signal('')
  const isSending = signal(false)
  // One id for one choice: a second try of it is not a second appointment.
  let sent = { id: '', details: '' }

  async function load(): Promise<void> {
    days.value = undefined
    error.value = wrong.value = ''
    const from = Date.now() + offset.peek() * DAY_MS
    const range = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(from + DAYS_SHOWN * DAY_MS).toISOString(),
    })
    try {
      const session = await forms.openSession()
      if (service.peek()) range.set('service', service.peek())
      const response = await api.ask(`chatbot/sessions/${session}/slots?${range}`)
      const { data }: { data: Slot[] } = await response.json()
      days.value = Map.groupBy(data, (slot) => formats.dayKey(slot.start))
      if (!days.peek()?.has(day.peek())) day.value = [...(days.peek()?.keys() ?? [])][0] ?? ''
      host.root.querySelector('.calendar')?.scrollIntoView()
    } catch {
      error.value = strings.failed
      days.value = new Map()
    }
  }

  function move(by: number): void {
    offset.value = Math.max(0, Math.min(DAYS_AHEAD, offset.peek() + by))
    chosen.value = ''
    void load()
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    if (isSending.peek()) return
    wrong.value = ''
    if (chosen.peek() === '') {
      error.value = strings.pick
      wrong.value = 'time'
      return form.querySelector<HTMLElement>('[name=time]')?.focus()
    }
    error.value = ''
    const data = new FormData(form)
    const body: Record<string, string | boolean> = { start: chosen.peek() }
    if (service.peek()) body['service'] = service.peek()
    for (const field of FIELDS) {
      const value = data.get(field)
      if (typeof value === 'string' && value.trim()) body[field] = value.trim()
    }
    if (!body['name']) {
      error.value = contact.required
      return point(form, 'name')
    }
    if (consent) {
      if (!data.has('consent')) {
        error.value = contact.consentNeeded
        return point(form, 'consent')
      }
      body['consent'] = true
    }
    const details = JSON.stringify(body)
    if (sent.details !== details) sent = { id: newId(), details }
    isSending.value = true
    try {
      const session = await forms.openSession()
      const path = `chatbot/sessions/${session}/appointment`
      const response = await api.post(path, body, sent.id)
      const booked: Appointment = await response.json()
      forms.remember({
        name: booked.name,
        phone: booked.phone ?? '',
        email: booked.email ?? '',
      })
      forms.thank(sent.id, confirmation(booked))
      chosen.value = ''
    } catch (refusal) {
      error.value = explain(refusal)
      const field = FIELDS.find((each) => isAbout(refusal, each))
      if (field) point(form, field)
      if (refusal instanceof Refusal && refusal.status === 409) {
        chosen.value = ''
        await load()
        error.value = strings.taken
      }
    } finally {
      isSending.value = false
    }
  }

  /** Markdown: what was booked, and where it can be changed or taken to a calendar. */
  function confirmation({ service: booked, start: at, manage_url: link }: Appointment): string {
    const lines = [strings.thanks(formats.whole(at)), booked ? `**${booked}**` : '']
    if (link) lines.push(`[${strings.manage}](${link})`, `[${strings.file}](${link}/calendar.ics)`)
    return lines.filter((line) => line !== '').join('\n')
  }

  function point(form: HTMLFormElement, field: string): void {
    wrong.value = field
    form.querySelector<HTMLElement>(`#${field}`)?.focus()
  }

  function explain(refusal: unknown): string {
    if (!(refusal instanceof Refusal)) return more.failed
    if (refusal.status === 0) return more.offline
    if (refusal.status === 429) return contact.wait(refusal.retryAfter ?? 60)
    if (isAbout(refusal, 'phone')) return contact.badPhone
    return isAbout(refusal, 'email') ? contact.badEmail : more.failed
  }

  function cancel(): void {
    chat.openForm(undefined)
    ui.focusInput()
  }

  const about = (field: string) => ({
    id: field,
    name: field,
    'aria-invalid': wrong.value === field,
    'aria-describedby': wrong.value === field ? 'wrong' : undefined,
  })

  /** The error, below its field, or at the end. */
  const problem = (field: string): VNode | false =>
    wrong.value === field && (
      <p class="wrong" id="wrong" role="alert">
        {error.value}
      </p>
    )

  const input = (field: (typeof FIELDS)[number], attributes: object): VNode => (
    <>
      <label for={field}>{contact[field]}</label>
      <input {...about(field)} {...attributes} defaultValue={forms.contact()[field] ?? ''} />
      {problem(field)}
    </>
  )

  const choice = (
    name: string,
    value: string,
    picked: typeof day,
    label: VNode | string,
    description?: string,
  ): VNode => (
    <label key={value} class={picked.value === value ? 'picked' : ''}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={picked.value === value}
        aria-label={description}
        onChange={() => {
          picked.value = value
          if (picked === day) chosen.value = ''
          else if (wrong.peek() === 'time') error.value = wrong.value = ''
        }}
      />
      {label}
    </label>
  )

  const dayOf = (at: string): VNode => (
    <>
      <small>{formats.dayName(at)}</small>
      <b>{formats.dayNumber(at)}</b>
    </>
  )

  const draw = (): VNode => {
    const slots = days.value?.get(day.value) ?? []
    return (
      <form
        key="calendar"
        class="form calendar"
        noValidate
        aria-labelledby="calendar"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <h3 id="calendar" tabIndex={-1} ref={arriveOnce}>
          {strings.title}
        </h3>
        <p>{strings.intro}</p>
        {services.length > 1 && (
          <>
            <label for="service">{strings.service}</label>
            <select
              id="service"
              value={service.value}
              onChange={(event) => {
                service.value = event.currentTarget.value
                void load()
              }}
            >
              {services.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </>
        )}
        <div class="range">
          <button
            type="button"
            aria-label={strings.earlier}
            aria-disabled={offset.value === 0}
            onClick={() => move(-DAYS_SHOWN)}
          >
            {dir === 'rtl' ? '›' : '‹'}
          </button>
          <button type="button" aria-label={strings.later} onClick={() => move(DAYS_SHOWN)}>
            {dir === 'rtl' ? '‹' : '›'}
          </button>
        </div>
        {days.value === undefined ? (
          <p role="status">{strings.loading}</p>
        ) : days.value.size === 0 ? (
          <p role="status">{error.value || strings.none}</p>
        ) : (
          <>
            <div class="days" role="radiogroup" aria-label={strings.days}>
              {[...days.value].map(([key, [first]]) =>
                choice('day', key, day, dayOf(first?.start ?? key)),
              )}
            </div>
            <div
              class="times"
              role="radiogroup"
              aria-label={strings.times}
              aria-describedby={wrong.value === 'time' ? 'wrong' : undefined}
            >
              {slots.map(({ start: at }) => choice('time', at, chosen, formats.time(at)))}
            </div>
            {problem('time')}
            <p class="zone">
              {strings.zone(formats.zone)}
              {chosen.value && timeZone !== own && (
                <span> · {strings.yours(formats.ownTime(chosen.value))}</span>
              )}
            </p>
            {input('name', { autocomplete: 'name', required: true, maxLength: 200 })}
            {input('phone', { type: 'tel', autocomplete: 'tel', maxLength: 40 })}
            {input('email', { type: 'email', autocomplete: 'email', maxLength: 254 })}
            {consent && (
              <label class="consent">
                <input {...about('consent')} type="checkbox" required />
                <span>{consent}</span>
              </label>
            )}
            {problem('consent')}
            {policyLink()}
            {problem('')}
          </>
        )}
        <div class="actions">
          <button type="button" class="cancel" onClick={cancel}>
            {contact.cancel}
          </button>
          <button class="submit" aria-disabled={isSending.value}>
            {strings.submit}
          </button>
        </div>
      </form>
    )
  }
  const arriveOnce = (title: HTMLElement | null): void => {
    forms.arrive(title)
    if (title) void load()
  }
  ui.addStyles(css)
  ui.addAfter(() => chat.form.value === 'appointment' && draw())
}
