import { afterEach, expect, test, vi } from 'vitest'
import { momentOf, todayIn, zoned } from '../../panel/pages/appointments/zone.ts'

const BROWSER_ZONES = ['UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Europe/Istanbul'] as const

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test.each(BROWSER_ZONES)('an appointment moves on the site’s clock in a browser of %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
  expect(momentOf('2026-11-23', '09:30', 'Europe/Istanbul')).toBe('2026-11-23T06:30:00.000Z')
  expect(momentOf('2026-11-23', '00:15', 'Asia/Tokyo')).toBe('2026-11-22T15:15:00.000Z')
  expect(zoned('2026-11-22T15:15:00.000Z', 'Asia/Tokyo')).toEqual({
    day: '2026-11-23',
    minutes: 15,
  })
  vi.useFakeTimers({ now: Date.parse('2026-11-22T22:00:00Z') })
  expect(todayIn('Europe/Istanbul')).toBe('2026-11-23')
})

test.each(BROWSER_ZONES)('a day on which clocks change keeps its times in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  // Clocks go forward at 02:00 and back at 03:00.
  expect(momentOf('2026-03-29', '01:30', 'Europe/Berlin')).toBe('2026-03-29T00:30:00.000Z')
  expect(momentOf('2026-03-29', '09:00', 'Europe/Berlin')).toBe('2026-03-29T07:00:00.000Z')
  expect(momentOf('2026-10-25', '09:00', 'Europe/Berlin')).toBe('2026-10-25T08:00:00.000Z')
})

test('an unfinished time is no moment', () => {
  expect(momentOf('2026-11-23', '', 'Europe/Istanbul')).toBeUndefined()
  expect(momentOf('', '09:30', 'Europe/Istanbul')).toBeUndefined()
})
