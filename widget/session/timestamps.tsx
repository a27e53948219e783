import { signal } from '../runtime/signals.ts'
import type { VNode } from 'preact'
import type { AppContext } from '../ui/app-context.ts'
import type { Strings } from '../locales/strings.ts'

/** After a pause of this length the time is shown again. */
const SILENCE_BEFORE_TIME_MS = 900_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Whole days, by the visitor's calendar, from now to `at`: -1 is yesterday. */
function daysTo(at: number, now: number): number {
  return Math.round(
    (new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / DAY_MS,
  )
}

/** Makes something when it is first needed: the first formats of a page take the browser long. */
function later<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}

/**
 * Makes the browser load its data of locales, about half the time that its first format takes: in a task of
 * its own, neither is long.
 */
export function loadLocaleData({ tag }: Strings): void {
  Intl.Collator.supportedLocalesOf(tag)
}

/** The formats that `createTimestamps` uses, each made on first use. */
export function createFormats({ tag }: Strings) {
  return {
    relative: later(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })),
    time: later(() => new Intl.DateTimeFormat(tag, { timeStyle: 'short' })),
    date: later(
      () => new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long' }),
    ),
  }
}

/**
 * Returns a function that draws what is said about the time before a message: the day or a pause at
 * once, otherwise the time that `showTimes` uncovers.
 */
export function createTimestamps({ relative, time, date }: ReturnType<typeof createFormats>) {
  const begun = Date.now() - SILENCE_BEFORE_TIME_MS
  return (at: number, before: number): VNode => {
    const now = Date.now()
    const days = daysTo(at, now)
    const isNewDay = before > 0 ? daysTo(before, at) !== 0 : days !== 0
    // A time added above a line already shown would push that line down.
    const isBegun = before === 0 && at >= begun
    const isAlone = !isNewDay && (isBegun || at - before < SILENCE_BEFORE_TIME_MS)
    const day = days > -2 ? relative().format(days, 'day') : date().format(at)
    return (
      <time
        dateTime={new Date(at).toISOString()}
        class={isNewDay ? 'day' : isAlone ? 'at' : 'pause'}
      >
        {isNewDay && <b>{day} </b>}
        {time().format(at)}
      </time>
    )
  }
}

/** Shows the time of a message that is tapped, and hides that of the one before. */
export function showTimes(root: ShadowRoot): void {
  root.addEventListener('click', ({ target }) => {
    const tapped =
      target instanceof Element && target.closest('.bubble')?.parentElement?.previousElementSibling
    for (const time of root.querySelectorAll('.at'))
      time.toggleAttribute('data-shown', time === tapped && !time.hasAttribute('data-shown'))
  })
}

/** Says how long ago something was, and goes on saying it right. */
export function createElapsed({ host, chat, ui }: AppContext): () => string | undefined {
  const relative = later(
    () => new Intl.RelativeTimeFormat(ui.strings.tag, { numeric: 'auto', style: 'short' }),
  )
  const now = signal(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), MINUTE_MS / 2)
  host.destroyed.addEventListener('abort', () => clearInterval(timer))
  return () => {
    const last = chat.lines.value.at(-1)
    if (!last) return undefined
    const minutes = Math.floor((now.value - last.at) / MINUTE_MS)
    if (minutes < 1 || minutes >= 1_440) return undefined
    return minutes < 60
      ? relative().format(-minutes, 'minute')
      : relative().format(-Math.floor(minutes / 60), 'hour')
  }
}
