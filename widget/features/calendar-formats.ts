/** How the calendar says days and times in a language and a time zone. */
export function calendarFormats(language: string, timeZone: string) {
  const formats = (options: Intl.DateTimeFormatOptions, as = language) => {
    const format = new Intl.DateTimeFormat(as, { timeZone, ...options })
    return (at: string | Date): string => format.format(new Date(at))
  }
  const zone = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' })
  return {
    /** The same for every time of a day: `2026-11-22`. */
    dayKey: formats({}, 'en-CA'),
    dayName: formats({ weekday: 'short' }),
    dayNumber: formats({ day: 'numeric', month: 'short' }),
    time: formats({ timeStyle: 'short' }),
    whole: formats({ dateStyle: 'full', timeStyle: 'short' }),
    /** The time where the visitor is. */
    ownTime: formats({
      timeZone: undefined,
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
    /** The time zone's name. */
    zone: zone.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
  }
}
