import { fold } from '../../lib/text/fold.ts'
import { LANGUAGES } from '../../lib/text/language.ts'
import { PLACE_WORDS, WORDS_FOR_ABROAD } from './lexicon/trade.ts'

/**
 * The provinces of Turkey and large cities beside it, whose customers ask what is sent there, folded. Without
 * names that are words: `ağrı` is a pain and `van` a car.
 */
const CITY_NAMES = `adana adiyaman afyon afyonkarahisar aksaray amasya ankara antalya ardahan artvin
  balikesir bartin bayburt bilecik bingol bitlis burdur bursa canakkale cankiri denizli diyarbakir
  duzce edirne elazig erzincan erzurum eskisehir gaziantep giresun gumushane hakkari hatay igdir isparta istanbul
  izmir kahramanmaras karabuk karaman kastamonu kayseri kirikkale kirklareli kirsehir kocaeli izmit
  konya kutahya malatya manisa mardin mersin mugla fethiye nevsehir nigde osmaniye rize sakarya adapazari
  samsun sanliurfa siirt sinop sivas sirnak tekirdag trabzon tunceli yozgat zonguldak
  london manchester birmingham glasgow edinburgh cardiff belfast dublin galway paris berlin hamburg munchen munich
  cologne frankfurt stuttgart vienna zurich amsterdam brussels madrid barcelona milan athens
  lefkosa nicosia bakum baku batum dubai riyadh amman beirut cairo toronto ontario montreal vancouver
  chicago boston florida texas california sydney melbourne`
/** Names of countries and regions that are words, or parts of the names of other things. */
const WORDS_TOO = new Set(
  `misir mali cin china turkey jersey man fas island guinea jordan chad benin gine reunion panama togo georgia eurozone
  world asia africa europe america welt dunya`.split(/\s+/),
)

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
