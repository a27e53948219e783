import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '../../lib/text/language.ts'
import { HOUSEHOLD_WORDS } from './lexicon/household.ts'
import { LEISURE_WORDS } from './lexicon/leisure.ts'
import { SERVICE_WORDS } from './lexicon/services.ts'
import { SOFTWARE_WORDS } from './lexicon/software.ts'
import { PLACE_WORDS, TRADE_WORDS } from './lexicon/trade.ts'
import { Synonyms } from './synonyms.ts'

const readTable = (table: string): string[][][] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim().split(/\s+/)))

function readShipped(): string[][][] {
  const software = SOFTWARE_WORDS.trim().split('\n')
  const trades = [TRADE_WORDS, PLACE_WORDS, SERVICE_WORDS, LEISURE_WORDS, HOUSEHOLD_WORDS]
  return [...software.map((line) => [line.split(' ')]), ...trades.flatMap(readTable)]
}

function readFolder(name: 'everyday' | 'dictionary'): string[][][] {
  const folder = join(import.meta.dirname, 'lexicon', name)
  const tables = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return tables.flatMap(readTable)
}

/** Small words that any text of a few sentences has some of, folded. */
const SMALL_WORDS: Readonly<Record<Language, readonly string[]>> = {
  tr: ['ve', 'bir', 'ile', 'icin', 'bu', 'da', 'de'],
  en: ['the', 'and', 'for', 'with', 'of', 'to', 'you'],
  de: ['und', 'der', 'die', 'das', 'ist', 'mit', 'sie'],
  ar: ['في', 'من', 'علي', 'الي', 'عن', 'مع'],
}
const MIN_SMALL_WORDS = 3

/** The languages in which a site with these words is written; all where none shows. */
export function languagesWritten(has: (word: string) => boolean): ReadonlySet<Language> {
  const written = LANGUAGES.filter(
    (language) => SMALL_WORDS[language].filter(has).length >= MIN_SMALL_WORDS,
  )
  return new Set(written.length === 0 ? LANGUAGES : written)
}

let forDocumentation: Synonyms | undefined
let forFewPages: Synonyms | undefined
let dictionary: Synonyms | undefined

/** The words that have translations and no synonyms, read at their first use. */
const shippedDictionary = (): Synonyms => (dictionary ??= new Synonyms(readFolder('dictionary')))

/**
 * The reviewed synonyms and translations of `lexicon/` for a site, read at their first use. Those of
 * everyday life mean other things in large documentation: `call`, `wait`, `slide`.
 */
export function shippedSynonyms(isDocumentation: boolean): Synonyms {
  if (isDocumentation)
    return (forDocumentation ??= new Synonyms(readShipped(), { isByLanguage: false }))
  return (forFewPages ??= new Synonyms([...readShipped(), ...readFolder('everyday')], {
    dictionary: shippedDictionary,
  }))
}
