import { describe, expect, test } from 'vitest'
import * as chatEn from '../../widget/locales/en.ts'
import * as launcher from '../../widget/locales/launcher.ts'
import * as chatTr from '../../widget/locales/tr.ts'

/** Every word by its path; a word that takes values is spoken with a 3. */
function spoken(words: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, word] of Object.entries(words)) {
    const place = `${path}${name}`
    if (typeof word === 'string') found.set(place, word)
    else if (typeof word === 'function')
      found.set(place, String(Reflect.apply(word, undefined, [3])))
    else for (const [below, text] of spoken(word, `${place}.`)) found.set(below, text)
  }
  return found
}

/** The words of one language in a table that holds both. */
function inLanguage(words: Map<string, string>, language: string): Map<string, string> {
  const found = [...words].filter(([place]) => place.split('.').includes(language))
  return new Map(found.map(([place, word]) => [place.replace(language, '…'), word]))
}

const launcherWords = spoken(launcher)

describe.each([
  { part: 'the chat', en: spoken(chatEn), tr: spoken(chatTr) },
  {
    part: 'the launcher',
    en: inLanguage(launcherWords, 'en'),
    tr: inLanguage(launcherWords, 'tr'),
  },
])('$part', ({ en, tr }) => {
  test('says the same things in Turkish and in English', () => {
    expect(en.size).toBeGreaterThan(0)
    expect([...tr.keys()].toSorted()).toEqual([...en.keys()].toSorted())
  })

  test('has a word for everything it says', () => {
    for (const [place, word] of [...en, ...tr]) {
      expect(word.trim(), place).not.toBe('')
      expect(word, place).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  test('leaves no English sentence in Turkish', () => {
    const same = [...en].filter(([place, word]) => word.includes(' ') && tr.get(place) === word)
    expect(same).toEqual([])
  })
})
