import { expect, test } from 'vitest'
import { addDays, dayOf, isDay, startOfDay } from '../../server/lib/days.ts'
import { HOUR_MS } from '../../server/lib/durations.ts'

const iso = (at: number) => new Date(at).toISOString()

test('a day begins at midnight where the workspace is', () => {
  const day = dayOf(Date.UTC(2027, 5, 15, 21, 30), 'Europe/Istanbul')
  expect(day.name).toBe('2027-06-16')
  expect(iso(day.from)).toBe('2027-06-15T21:00:00.000Z')
  expect(iso(day.until)).toBe('2027-06-16T21:00:00.000Z')
})

test('days are 23 and 25 hours long where clocks change', () => {
  const hours = (name: string, timeZone: string) =>
    (startOfDay(addDays(name, 1), timeZone) - startOfDay(name, timeZone)) / HOUR_MS
  expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23)
  expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25)
  expect(hours('2026-10-24', 'Europe/Berlin')).toBe(24)
})

test('a day whose midnight the clocks leap over begins an hour late, one that repeats it once', () => {
  expect(iso(startOfDay('2018-11-04', 'America/Sao_Paulo'))).toBe('2018-11-04T03:00:00.000Z')
  expect(iso(startOfDay('2018-02-18', 'America/Sao_Paulo'))).toBe('2018-02-18T03:00:00.000Z')
  expect(iso(startOfDay('2026-11-01', 'America/Havana'))).toBe('2026-11-01T04:00:00.000Z')
})

test('every moment of ten years is in its day, in zones that are odd', () => {
  for (const zone of ['Asia/Kathmandu', 'Pacific/Apia', 'America/St_Johns', 'Africa/Cairo']) {
    for (let at = Date.UTC(2020, 0, 1); at < Date.UTC(2030, 0, 1); at += 1009 * HOUR_MS + 12_345) {
      const { name, from, until } = dayOf(at, zone)
      expect([zone, name, from <= at && at < until]).toEqual([zone, name, true])
      expect(dayOf(from, zone).name).toBe(name)
      expect(dayOf(until, zone).name).toBe(addDays(name, 1))
    }
  }
})

test('knows the days that there are', () => {
  expect(['2028-02-29', '2027-12-31'].every(isDay)).toBe(true)
  expect(['2027-02-29', '2027-13-01', '2027-1-1', '2027-06-15T00:00', ''].some(isDay)).toBe(false)
})
