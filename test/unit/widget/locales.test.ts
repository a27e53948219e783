import { describe, expect, test } from 'vitest'
import * as chatAr from '../../../widget/locales/ar.ts'
import * as moreAr from '../../../widget/locales/ar.lazy.ts'
import * as chatDe from '../../../widget/locales/de.ts'
import * as moreDe from '../../../widget/locales/de.lazy.ts'
import * as chatEn from '../../../widget/locales/en.ts'
import * as moreEn from '../../../widget/locales/en.lazy.ts'
import { dismissWords } from '../../../widget/locales/invitation.ts'
import * as chatTr from '../../../widget/locales/tr.ts'
import * as moreTr from '../../../widget/locales/tr.lazy.ts'

/** Every word by its path; a word that takes values is spoken with a 3. */
function spoken(strings: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, word] of Object.entries(strings)) {
    const place = `${path}${name}`
    if (typeof word === 'string') found.set(place, word)
    else if (typeof word === 'function')
      found.set(place, String(Reflect.apply(word, undefined, [3])))
    else for (const [below, text] of spoken(word, `${place}.`)) found.set(below, text)
  }
  return found
}

const english = [spoken(chatEn), spoken(moreEn)]

describe.each([
  { language: 'Turkish', parts: [spoken(chatTr), spoken(moreTr)] },
  { language: 'German', parts: [spoken(chatDe), spoken(moreDe)] },
  { language: 'Arabic', parts: [spoken(chatAr), spoken(moreAr)] },
])('in $language', ({ parts }) => {
  test.each([0, 1])('the widget says the same things as in English (%i)', (part) => {
    const there = english[part] ?? new Map<string, string>()
    const here = parts[part] ?? new Map<string, string>()
    expect(there.size).toBeGreaterThan(0)
    expect([...here.keys()].toSorted()).toEqual([...there.keys()].toSorted())
  })

  test('it has a word for everything it says', () => {
    for (const [place, word] of parts.flatMap((part) => [...part])) {
      expect(word.trim(), place).not.toBe('')
      expect(word, place).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  test('it leaves no sentence in English', () => {
    const same = english.flatMap((part, index) =>
      [...part].filter(([place, word]) => word.includes(' ') && parts[index]?.get(place) === word),
    )
    expect(same).toEqual([])
  })
})

test('an invitation can be put away in every language', () => {
  expect(Object.keys(dismissWords).toSorted()).toEqual(['ar', 'de', 'en', 'tr'])
})
