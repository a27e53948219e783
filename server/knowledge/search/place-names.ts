import { fold } from '../../lib/text/fold.ts'
import { LANGUAGES } from '../../lib/text/language.ts'
import { PLACE_WORDS, WORDS_FOR_ABROAD } from './lexicon/trade.ts'

/**
 * The provinces of Turkey and large cities beside it, whose customers ask what is sent there, folded. Without
 * names that are words: `ağrı` is a pain and `van` a car.
 */
const CITY_NAMES = `ağrı`
/** Names of countries that are words: corn, financial, gin, porcelain, the bird, knitwear, a man, a case. */
const WORDS_TOO = new Set(['misir', 'mali', 'cin', 'china', 'turkey', 'jersey', 'man', 'fas'])

const foldedPlaces = (words: string): string[] =>
  words
    .split(/[\s|]+/)
    .filter((word) => word !== '')
    .map(fold)

/** The names of countries that are one word, in the languages of the lexicon, folded. */
function countryNames(): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  return LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    return codes.flatMap((code) => {
      const name = fold(names.of(code) ?? '')
      return name === '' || /[\s'’-]/.test(name) || WORDS_TOO.has(name) ? [] : [name]
    })
  })
}

const PLACES = new Set([...foldedPlaces(PLACE_WORDS), ...countryNames()])
for (const word of foldedPlaces(WORDS_FOR_ABROAD)) PLACES.delete(word)
const CITIES = new RegExp(
  `^(?:${foldedPlaces(CITY_NAMES).join('|')})(?:[dt][ae]\\w*|[yn]?[ae]|[iu]n|l[iu])?$`,
)

/** Whether a folded word, without its ending, names a country or a city that the lexicon knows. */
export const isPlaceName = (folded: string): boolean => PLACES.has(folded) || CITIES.test(folded)
