import { ar } from '../locales/plain.ar.ts'
import { de } from '../locales/plain.de.ts'
import { en, type PlainWords } from '../locales/plain.en.ts'
import { tr } from '../locales/plain.tr.ts'

const LANGUAGES = new Map<string, PlainWords>([
  ['tr', tr],
  ['de', de],
  ['ar', ar],
])

/** The words of a locale; English where there are none. */
export function noscriptStrings(locale: string): PlainWords {
  return LANGUAGES.get(locale.slice(0, 2).toLowerCase()) ?? en
}
