import { afterEach, describe, expect, test, vi } from 'vitest'
import { closedSpans, openSpans } from '../../panel/pages/appointments/open-hours.ts'
import {
  clockName,
  momentOf,
  todayIn,
  weekName,
  zoned,
} from '../../panel/pages/appointments/zone.ts'

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

test('the clock follows the language: twelve hours in English, twenty-four in Turkish', () => {
  // Intl puts narrow spaces between.
  const plain = (text: string): string => text.replace(/\s/g, ' ')
  expect(plain(clockName(9 * 60, 'en', 'hour'))).toBe('9 AM')
  expect(plain(clockName(13 * 60 + 30, 'en', 'short'))).toBe('1:30 PM')
  expect(clockName(9 * 60, 'tr', 'hour')).toBe('09:00')
  expect(clockName(13 * 60 + 30, 'tr', 'short')).toBe('13:30')
  expect(plain(weekName('2026-11-30', 'tr'))).toBe('30 Kasım – 6 Aralık 2026')
})

describe('the week of a site', () => {
  const office = {
    mon: [
      { from: '09:00', to: '12:30' },
      { from: '13:30', to: '18:00' },
    ],
    fri: [{ from: '20:00', to: '02:00' }],
    holidays: ['2026-12-07'],
  }
  const site = { office_hours: office, forms: { appointment: { holidays: ['2026-12-14'] } } }

  test('is closed before, between and after its hours', () => {
    const closed = closedSpans(site, '2026-11-30', [8 * 60, 19 * 60])
    expect(closed).toEqual([
      [8 * 60, 9 * 60],
      [12 * 60 + 30, 13 * 60 + 30],
      [18 * 60, 19 * 60],
    ])
  })

  test('is closed all day on its holidays and on days without hours', () => {
    for (const day of ['2026-12-07', '2026-12-14', '2026-12-01']) {
      expect(closedSpans(site, day, [540, 1_080])).toEqual([[540, 1_080]])
    }
  })

  test('is open past midnight', () => {
    expect(openSpans(site, '2026-12-04')).toEqual([[1_200, 1_440]])
    expect(openSpans(site, '2026-12-05')).toEqual([[0, 120]])
  })
})
