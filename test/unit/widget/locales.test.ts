import { describe, expect, test } from 'vitest'
import { DISMISS_INVITATION, LOCALES } from '../../../widget/locales/registry.ts'

/** Every string by its path; a string that takes values is spoken with a 3. */
function spoken(strings: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, string] of Object.entries(strings)) {
    const place = `${path}${name}`
    if (typeof string === 'string') found.set(place, string)
    else if (typeof string === 'function')
      found.set(place, String(Reflect.apply(string, undefined, [3])))
    else for (const [below, text] of spoken(string, `${place}.`)) found.set(below, text)
  }
  return found
}

/** The strings up to the first answer, and those after it. */
async function partsOf(locale: string): Promise<Map<string, string>[]> {
  const first: object = await import(`../../../widget/locales/${locale}.ts`)
  const lazy: object = await import(`../../../widget/locales/${locale}.lazy.ts`)
  return [spoken(first), spoken(lazy)]
}

const english = await partsOf('en')

describe.each(LOCALES.filter((locale) => locale !== 'en'))('in %s', (locale) => {
  test.each([0, 1])('the widget says the same things as in English (%i)', async (part) => {
    const there = english[part] ?? new Map<string, string>()
    const here = (await partsOf(locale))[part] ?? new Map<string, string>()
    expect(there.size).toBeGreaterThan(0)
    expect([...here.keys()].toSorted()).toEqual([...there.keys()].toSorted())
  })

  test('it has a word for everything it says', async () => {
    for (const [place, word] of (await partsOf(locale)).flatMap((part) => [...part])) {
      expect(word.trim(), place).not.toBe('')
      expect(word, place).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  test('it leaves no sentence in English', async () => {
    const parts = await partsOf(locale)
    const same = english.flatMap((part, index) =>
      [...part].filter(([place, word]) => word.includes(' ') && parts[index]?.get(place) === word),
    )
    expect(same).toEqual([])
  })

  test('its strings carry its own tag', async () => {
    expect((await partsOf(locale))[0]?.get('strings.tag')).toBe(locale)
  })
})

test('an invitation can be put away in every language', () => {
  expect(Object.keys(DISMISS_INVITATION).toSorted()).toEqual([...LOCALES].toSorted())
})
