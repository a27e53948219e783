import type { VNode } from 'preact'
import type { OfficeHours } from '../../server/tenants/schema.ts'
import type { LazyStrings } from '../locales/strings.lazy.ts'
import type { AppContext } from '../ui/app-context.ts'
import css from './welcome.css?inline'

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

interface Today {
  isOpen: boolean
  /** Such as `09:00–12:00, 13:00–18:00`; empty on a closed day. */
  hours: string
}

/** The site's hours of today, in its time zone; undefined where it has named none. */
function readHours(hours: OfficeHours, timeZone: string): Today | undefined {
  const { holidays = [], ...week } = hours
  if (Object.keys(week).length === 0) return undefined
  // Swedish writes a date and a time as ISO 8601 does.
  const now = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const [date = '', time = ''] = now.format().split(' ')
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'sun'
  const spans = holidays.includes(date) ? [] : (week[day] ?? [])
  return {
    isOpen: spans.some(({ from, to }) => time >= from && (time < to || to <= from)),
    hours: spans.map(({ from, to }) => `${from}–${to}`).join(', '),
  }
}

/** The site's offers before the first message: its hours, a calendar, people. */
export async function start({ host, chat, ui }: AppContext, strings: LazyStrings): Promise<void> {
  const { config, storage } = host
  if (!config) {
    const page = await import('../page/page-features.ts')
    return page.explainOrigin(host)
  }
  const { forms, handoff } = config
  const today = readHours(config.office_hours, config.time_zone)
  const action = (name: string, run: () => void): VNode => (
    <button key={name} onClick={run}>
      {name}
    </button>
  )
  const hasActions = forms.appointment.enabled || handoff !== 'off'
  ui.addStyles(css)
  ui.addAfter(() => {
    const isEmpty = chat.lines.value.length === 0 && chat.outbox.value.length === 0
    if (!isEmpty || chat.form.value || storage.get('session') || !(today || hasActions)) return null
    return (
      <div class="welcome" key="welcome">
        {today && (
          <p>
            <b class={today.isOpen ? 'open' : ''}>
              {today.isOpen ? strings.isOpen : strings.isShut}
            </b>
            <span>{today.hours ? strings.hours(today.hours) : strings.isShutToday}</span>
          </p>
        )}
        {hasActions && (
          <div class="suggestions">
            {forms.appointment.enabled &&
              action(strings.bookOpen, () => chat.openForm('appointment'))}
            {handoff !== 'off' && action(strings.handoff, () => void chat.ask(strings.handoff))}
          </div>
        )}
      </div>
    )
  })
}
