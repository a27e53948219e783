import { describe, expect, test } from 'vitest'
import { fold } from '../../../server/lib/text/fold.ts'
import {
  fitOf,
  type Quantity,
  readOwnNumbers,
  readQuantities,
} from '../../../server/lib/text/quantity.ts'

const written = (text: string) => say(readQuantities(fold(text)))
const own = (text: string) => say(readOwnNumbers(fold(text)))
const say = (quantities: readonly Quantity[]) =>
  quantities.map(
    ({ dimension, low, high, isLimit }) =>
      `${dimension} ${low}–${high}${isLimit ? ' at a limit' : ''}`,
  )

describe('a number with its unit', () => {
  test.each([
    ['8 kiloluk terrier', 'weight 8–8'],
    ['im 104 kilos', 'weight 104–104'],
    ['5 arkadaşımla gelsem', 'people 5–5'],
    ['9 of us', 'people 9–9'],
    ['uçuşa 30 saat kala', 'time 30–30'],
    ['3 hafta tutsak', 'time 504–504'],
    ['on sekiz yaşında', 'age 18–18'],
    ['im 17 can i rent a unit', 'age 17–17'],
    ['she is 7, can she come', 'age 7–7'],
    ['yeğenim 15inde', 'age 15–15'],
    ['meine Tochter ist 7', 'age 7–7'],
    ['do you have anything for pensioners', 'age 67–67'],
  ])('“%s” is %s', (text, quantity) => {
    expect(own(text)).toEqual([quantity])
  })

  test.each([
    ['10 kg’a kadar', 'weight 0–10 at a limit'],
    ['Orta ırk köpek (10-25 kg)', 'weight 10–25 at a limit'],
    ['25 kg üzeri', 'weight 25–Infinity at a limit'],
    ['90 kg’den fazla', 'weight 90–Infinity at a limit'],
    ['18 yaşından küçükler', 'age 0–18 at a limit'],
    ['6 yaş ve üzeri', 'age 6–Infinity at a limit'],
    ['You must be 18 or over', 'age 18–Infinity at a limit'],
    ['Under 16s sit elsewhere', 'age 0–16 at a limit'],
    ['at least sixteen years old', 'age 16–Infinity at a limit'],
    ['15 geceyi aşan konaklamalar', 'time 360–Infinity at a limit'],
    ['48 saatten az kala', 'time 0–48 at a limit'],
    ['no more than 30 minutes', 'time 0–0.5 at a limit'],
    ['groups of up to 8 people', 'people 0–8 at a limit'],
    ['3 kişiyi geçemez', 'people 0–3 at a limit'],
  ])('“%s” is %s', (text, quantity) => {
    expect(written(text)).toEqual([quantity])
  })

  test.each([
    'saat 9 da',
    '9.30am to 5pm',
    'Tel: 0232 555 41 70',
    'A4',
    'the 5th of May',
    '300 TL',
  ])('“%s” has none', (text) => {
    expect([...written(text), ...own(text)]).toEqual([])
  })

  test.each([
    ['2 gün önce iptal etsem', ['time 48–48']],
    ['I am over 65 years old', ['age 65–65']],
    ['2 people and 3 nights', ['people 2–2', 'time 72–72']],
    ['2 adults and 3 children', ['people 2–2']],
    ['thirty five people', ['people 35–35']],
    ['otuz beş kişiyiz', ['people 35–35']],
    ['open on two days', ['time 48–48']],
    ['my shoe size is 38', []],
    ['the bill is 45', []],
    ['ayın 15’inde açık mısınız', []],
    ['do you have senior dog food', []],
  ])('“%s” is of the visitor %j', (text, quantities) => {
    expect(own(text)).toEqual(quantities)
  })

  test.each([
    ['for ages 6 to 12', ['age 6–12 at a limit']],
    ['28 to 15 days before', ['time 360–672 at a limit']],
    ['Children under 12 must be with an adult', ['age 0–12 at a limit']],
    ['no older than 12 years old', ['age 0–12 at a limit']],
    ['Orders over 50 euros ship free', []],
    ['over 18 holes', []],
    ['SPF 50 or over', []],
    ['0,125 kg', ['weight 0.125–0.125']],
  ])('“%s” is in a document %j', (text, quantities) => {
    expect(written(text)).toEqual(quantities)
  })

  test('is an age where a time is said of one', () => {
    expect(written('Age: 12 to 36 months')).toContain('age 1–3 at a limit')
  })
})

describe('what is said of an asked number', () => {
  const fit = (asked: string, text: string) =>
    fitOf(readOwnNumbers(fold(asked)), readQuantities(fold(text)))

  test('is most where a limit has it, less where one does not, and nothing without a limit of its kind', () => {
    expect(fit('14 kilo', '10-25 kg')).toBe(1)
    expect(fit('im 17', '18 or over')).toBeGreaterThan(0)
    expect(fit('im 17', '18 or over')).toBeLessThan(1)
    expect(fit('14 kilo', '14 kg')).toBe(0)
    expect(fit('14 kilo', '10-25 km')).toBe(0)
  })
})
