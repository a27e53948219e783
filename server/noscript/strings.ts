import { ar } from '../locales/noscript.ar.ts'
import { de } from '../locales/noscript.de.ts'
import { en, type NoscriptStrings } from '../locales/noscript.en.ts'
import { tr } from '../locales/noscript.tr.ts'

const LANGUAGES = new Map<string, NoscriptStrings>([
  ['tr', tr],
  ['de', de],
  ['ar', ar],
])

/** Returns the strings of a locale; English for an unknown one. */
export function noscriptStrings(locale: string): NoscriptStrings {
  return LANGUAGES.get(locale.slice(0, 2).toLowerCase()) ?? en
}
