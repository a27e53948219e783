import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useApp } from '../../app/app-context.ts'
import type { Words } from '../../locales/en/appointments.ts'
import { Button } from '../../ui/button.tsx'
import { dayName } from './zone.ts'

/** The days on which the site is closed. */
export function HolidayList({
  holidays,
  words,
}: {
  holidays: Signal<string[]>
  words: Words
}): VNode {
  const { language } = useApp()
  const typed = useSignal('')
  const add = (): void => {
    if (typed.value === '') return
    holidays.value = [...new Set([...holidays.value, typed.value])].toSorted()
    typed.value = ''
  }
  return (
    <div class="stack tight">
      <p class="soft">{words.hours.holidaysHint}</p>
      <ul class="holidays">
        {holidays.value.map((day) => {
          const name = dayName(day, language.value, { dateStyle: 'full' })
          return (
            <li key={day}>
              <span class="grow">{name}</span>
              <Button
                kind="plain"
                small
                icon="trash"
                label={words.hours.remove(name)}
                onPress={() => {
                  holidays.value = holidays.value.filter((each) => each !== day)
                }}
              />
            </li>
          )
        })}
        {holidays.value.length === 0 && <li class="soft">{words.hours.noHolidays}</li>}
      </ul>
      <div class="row">
        <input
          class="input holiday-input"
          type="date"
          aria-label={words.hours.addHoliday}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <Button small icon="plus" onPress={add}>
          {words.hours.addHoliday}
        </Button>
      </div>
    </div>
  )
}
