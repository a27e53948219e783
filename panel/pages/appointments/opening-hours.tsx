import type { Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { OfficeHours } from '../../../server/tenants/schema.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Day = (typeof DAYS)[number]
type Range = { from: string; to: string }

const WORKDAYS = ['tue', 'wed', 'thu', 'fri'] as const
const FIRST_RANGE: Range = { from: '09:00', to: '18:00' }
const MAX_RANGES = 4

/** The hours of each weekday; several ranges make a break between them. */
export function OpeningHours({
  hours,
  words,
}: {
  hours: Signal<OfficeHours>
  words: Words
}): VNode {
  function set(day: Day, ranges: Range[]): void {
    const { [day]: _, ...others } = hours.value
    hours.value = ranges.length === 0 ? others : { ...others, [day]: ranges }
  }

  const { mon } = hours.value
  return (
    <div class="stack tight">
      {DAYS.map((day) => {
        const ranges = hours.value[day] ?? []
        const name = words.hours.days[day]
        const change = (at: number, part: keyof Range, value: string): void =>
          set(
            day,
            ranges.map((range, index) => (index === at ? { ...range, [part]: value } : range)),
          )
        return (
          <div key={day} class="opening-day">
            <span class="label">{name}</span>
            <div class="ranges">
              {ranges.length === 0 && <span class="soft">{words.closed}</span>}
              {ranges.map((range, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- ranges have no other identity
                <span key={at} class="row">
                  <input
                    class="input"
                    type="time"
                    aria-label={words.hours.from(name)}
                    value={range.from}
                    onInput={(event) => change(at, 'from', event.currentTarget.value)}
                  />
                  –
                  <input
                    class="input"
                    type="time"
                    aria-label={words.hours.to(name)}
                    value={range.to}
                    onInput={(event) => change(at, 'to', event.currentTarget.value)}
                  />
                  <Button
                    kind="plain"
                    small
                    icon="trash"
                    label={words.hours.removeHours(name)}
                    onPress={() => set(day, ranges.toSpliced(at, 1))}
                  />
                </span>
              ))}
            </div>
            {ranges.length < MAX_RANGES && (
              <Button
                kind="plain"
                small
                icon="plus"
                label={words.hours.addHours(name)}
                onPress={() => set(day, [...ranges, nextRange(ranges.at(-1))])}
              />
            )}
          </div>
        )
      })}
      {mon && (
        <div>
          <Button
            small
            icon="copy"
            onPress={() => {
              const same = Object.fromEntries(WORKDAYS.map((day) => [day, mon]))
              hours.value = { ...hours.value, ...same }
            }}
          >
            {words.hours.copy}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Proposes hours after the last range of the day. */
function nextRange(last: Range | undefined): Range {
  return last && last.to < '20:00' ? { from: last.to, to: '21:00' } : FIRST_RANGE
}
