import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shippedSynonyms } from '../../../server/knowledge/search/shipped-synonyms.ts'
import { Synonyms } from '../../../server/knowledge/search/synonyms.ts'
import { fold } from '../../../server/lib/text/fold.ts'
import type { Language } from '../../../server/lib/text/language.ts'

const FOLDER = join(import.meta.dirname, '../../../server/knowledge/search/lexicon/dictionary')
const COLUMNS = 4

describe('a dictionary', () => {
  const dictionary = new Synonyms([
    [['kırmak', 'kırık'], ['break', 'broke'], ['zerbrechen'], ['كسر']],
  ])
  const synonyms = new Synonyms([], { dictionary: () => dictionary })
  const find = (word: string, language: Language, ...written: Language[]) =>
    synonyms.find([fold(word)], language, new Set(written))

  test('translates into the languages of the site, and has no synonyms', () => {
    expect(find('broke', 'en', 'tr')).toEqual({ same: [], other: ['kirmak', 'kirik'] })
    expect(find('broke', 'en', 'en')).toEqual({ same: [], other: [] })
    expect(find('kırık', 'tr', 'de', 'ar')).toEqual({ same: [], other: ['zerbrechen', 'كسر'] })
  })

  test('takes a word for one of its own language alone', () => {
    expect(find('broke', 'de', 'tr').other).toEqual([])
  })

  test.each(readdirSync(FOLDER))('has a word in each language in every line of %s', (file) => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n')
    const faulty = lines.filter((line) => {
      const columns = line.split('|')
      return (
        !line.startsWith('#') &&
        (columns.length !== COLUMNS || columns.some((column) => column.trim() === ''))
      )
    })
    expect(faulty).toEqual([])
    expect(new Set(lines).size).toBe(lines.length)
  })
})

test.each<[string, Language, Language, string]>([
  ['gekauft', 'de', 'tr', 'satın'],
  ['satın', 'tr', 'en', 'buy'],
  ['donate', 'en', 'tr', 'bağış'],
  ['billigste', 'de', 'tr', 'ucuz'],
  ['بتصلحوا', 'ar', 'tr', 'tamir'],
  ['بالكلاب', 'ar', 'en', 'dog'],
  ['بترجعوا', 'ar', 'tr', 'iade'],
])('finds what %s (%s) is called in %s', (word, language, site, expected) => {
  const { other } = shippedSynonyms(false).find([fold(word)], language, new Set([site]))
  expect(other.some((found) => found.startsWith(fold(expected)))).toBe(true)
})

test('knows one meaning by the words of any language', () => {
  const meanings = (word: string, language: Language) =>
    shippedSynonyms(false).conceptsOf(fold(word), language)
  const shared = (one: string[], other: string[]) => one.filter((name) => other.includes(name))
  expect(shared(meanings('bought', 'en'), meanings('gekauft', 'de'))).not.toEqual([])
  expect(shared(meanings('bought', 'en'), meanings('اشتريت', 'ar'))).not.toEqual([])
})
