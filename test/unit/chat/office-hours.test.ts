import { expect, test } from 'vitest'
import { officeStatusAt } from '../../../server/tenants/office-hours.ts'

const at = (text: string) => Date.parse(text)
const office = (hours: object, time_zone: string, appointment: object = {}) => ({
  office_hours: JSON.stringify(hours),
  time_zone,
  forms: JSON.stringify({ appointment }),
})
const NINE_TO_SIX = [{ from: '09:00', to: '18:00' }]

test('who says no hours is always there', () => {
  expect(officeStatusAt(office({}, 'Europe/Istanbul'), 0)).toEqual({ isOpen: true })
})

test.each([
  ['2026-11-25T05:59:59Z', false],
  ['2026-11-25T06:00:00Z', true],
  ['2026-11-25T14:59:59Z', true],
  ['2026-11-25T15:00:00Z', false],
])('hours are those of the zone: at %s open is %s', (time, isOpen) => {
  const istanbul = office({ wed: NINE_TO_SIX }, 'Europe/Istanbul')
  expect(officeStatusAt(istanbul, at(time)).isOpen).toBe(isOpen)
})

test('a closed door says when it opens, over the weekend and around a year', () => {
  const berlin = office({ mon: NINE_TO_SIX, fri: NINE_TO_SIX }, 'Europe/Berlin')
  expect(officeStatusAt(berlin, at('2027-01-01T18:00:00Z'))).toEqual({
    isOpen: false,
    opensAt: at('2027-01-04T08:00:00Z'),
  })
})

test('a day without hours is closed, and so is a week of them', () => {
  expect(officeStatusAt(office({ mon: [] }, 'UTC'), 0)).toEqual({
    isOpen: false,
    opensAt: undefined,
  })
})

test('hours may end after midnight', () => {
  const bar = office({ fri: [{ from: '20:00', to: '02:00' }] }, 'Europe/Berlin')
  expect(officeStatusAt(bar, at('2026-11-28T00:30:00Z')).isOpen).toBe(true)
  expect(officeStatusAt(bar, at('2026-11-28T01:00:00Z')).isOpen).toBe(false)
})

test('clocks that change on the day move the opening with them', () => {
  const berlin = office({ sun: [{ from: '02:30', to: '10:00' }] }, 'Europe/Berlin')
  // On 28 March 2027 the hour from two to three is skipped.
  expect(officeStatusAt(berlin, at('2027-03-28T00:59:00Z')).isOpen).toBe(false)
  expect(officeStatusAt(berlin, at('2027-03-28T07:59:00Z')).isOpen).toBe(true)
  expect(officeStatusAt(berlin, at('2027-03-28T08:00:00Z')).isOpen).toBe(false)
})

test.each([
  ['the office', office({ mon: NINE_TO_SIX, tue: NINE_TO_SIX, holidays: ['2026-11-30'] }, 'UTC')],
  [
    'appointments',
    office({ mon: NINE_TO_SIX, tue: NINE_TO_SIX }, 'UTC', { holidays: ['2026-11-30'] }),
  ],
])('nobody is there on holidays of %s', (_of, monday) => {
  expect(officeStatusAt(monday, at('2026-11-23T10:00:00Z')).isOpen).toBe(true)
  expect(officeStatusAt(monday, at('2026-11-30T10:00:00Z'))).toEqual({
    isOpen: false,
    opensAt: at('2026-12-01T09:00:00Z'),
  })
})

test('who says only holidays is always there but on those', () => {
  const shop = office({ holidays: ['2026-12-31', '2027-01-01'] }, 'Europe/Berlin')
  expect(officeStatusAt(shop, at('2026-12-30T22:59:00Z'))).toEqual({ isOpen: true })
  expect(officeStatusAt(shop, at('2026-12-30T23:00:00Z'))).toEqual({
    isOpen: false,
    opensAt: at('2027-01-01T23:00:00Z'),
  })
})
