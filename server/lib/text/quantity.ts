/** The dimension of a number with a unit. */
export type Dimension =
  | 'age'
  | 'weight'
  | 'people'
  | 'pieces'
  | 'distance'
  | 'length'
  | 'area'
  | 'volume'
  | 'time'

/** A number with its unit: one value, or the span that a limit leaves. */
export interface Quantity {
  dimension: Dimension
  /** In years, kilograms, kilometres, metres, square and cubic metres or hours; may be infinite. */
  low: number
  high: number
  /** Whether a limit says it (`up to 10 kg`, `18 or over`) or a span (`6–12 years`). */
  isLimit: boolean
}

const HOURS = { minute: 1 / 60, day: 24, week: 168, month: 730, year: 8760 }

/** The units, folded, with what one of them is in the unit of their dimension. */
const UNITS: readonly (readonly [Dimension, number, string])[] = [
  ['age', 1 / 12, 'months?[ -]olds?'],
  [
    'age',
    1,
    String.raw`yas(?! pasta)(?:i|in|ini|ina|inda\p{L}*|indan|im(?:a|da\p{L}*|iz|iza|izda)?|iniz\p{L}*|lik|l[iu]\p{L}*|lar\p{L}*|ta\p{L}*|tan|a|u|ustu|alti)?|(?:years?|yrs?)[ -]olds?|yo|y/o|jahre alt|jahrig\p{L}*`,
  ],
  ['weight', 1, String.raw`kg|kilo(?!m|w)\p{L}*|كيلو\p{L}*`],
  ['volume', 1, String.raw`m3|m³|metrekup\p{L}*|kubik\p{L}*|cubic met\p{L}*`],
  ['area', 1, String.raw`m2|m²|metrekare\p{L}*|square met\p{L}*|quadratmeter\p{L}*`],
  ['distance', 1, String.raw`km|kilomet\p{L}*`],
  ['distance', 1.609, 'miles?'],
  ['length', 0.01, String.raw`cm|santim\p{L}*`],
  ['length', 1, String.raw`m|mt|met(?:re|er)\p{L}*`],
  [
    'people',
    1,
    String.raw`kisi\p{L}*|arkadas\p{L}*|yolcu\p{L}*|people|persons?|guests?|adults?|pax|of us|personen|leute|gaste\p{L}*|شخص|اشخاص`,
  ],
  ['pieces', 1, String.raw`adet\p{L}*|tane\p{L}*|parca\p{L}*|pieces?|items?`],
  ['time', HOURS.minute, String.raw`dk|dakika\p{L}*|mins?|minutes?|minuten?|دقيقه|دقائق`],
  ['time', 1, String.raw`saat\p{L}*|hours?|hrs?|stunden?|ساعه|ساعات`],
  [
    'time',
    HOURS.day,
    String.raw`gun(?!es)\p{L}*|gece(?:l\p{L}*|[ysdn]\p{L}{1,3}|nin)?|days?|nights?|tage?n?|nachte?n?|يوم|ايام|ليله|ليال\p{L}*`,
  ],
  ['time', HOURS.week, String.raw`hafta\p{L}*|weeks?|wks?|wochen?|اسبوع|اسابيع`],
  ['time', HOURS.month, String.raw`ay(?:lik\p{L}*|i|in|a|[dt]an|dir)?|months?|monate?n?|شهر|اشهر`],
  [
    'time',
    HOURS.year,
    String.raw`yil(?!d[iı]z)\p{L}*|sene(?!t)\p{L}*|years?|yrs?|jahre?n?|سنه|سنوات`,
  ],
]
const UNIT_NAMES = UNITS.map(([, , names]) => new RegExp(`^(?:${names})$`, 'u'))
const UNIT = UNITS.map(([, , names]) => names).join('|')

const readNumbers = (list: string): ReadonlyMap<string, number> =>
  new Map(
    list
      .trim()
      .split(/\s+(?=\p{L})/u)
      .map((pair) => {
        const [word = '', value = ''] = pair.split(/\s+/)
        return [word, Number(value)]
      }),
  )
const TURKISH_NUMBERS =
  readNumbers(`iki 2 uc 3 dort 4 bes 5 alti 6 yedi 7 sekiz 8 dokuz 9 on 10 yirmi 20 otuz 30
  kirk 40 elli 50 altmis 60`)
const OTHER_NUMBERS =
  readNumbers(`two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 twelve 12
  fourteen 14 fifteen 15 sixteen 16 eighteen 18 twenty 20 thirty 30 forty 40 fifty 50 sixty 60 zwei 2 drei 3 vier 4
  funf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 zwolf 12 vierzehn 14 sechzehn 16 achtzehn 18 zwanzig 20
  dreissig 30`)
/** `on` is ten only where a Turkish unit follows. */
const TURKISH_UNIT =
  'yas|kilo|kg|kisi|arkadas|yolcu|gun|gece|hafta|ay(?![a-z]{4})|yil|sene|saat|dakika|dk|adet|tane|parca|metre|santim'
const worded = (numbers: ReadonlyMap<string, number>, tens: string, units: string): RegExp => {
  const names = [...numbers.keys()].join('|')
  const span = String.raw`(?:(?:to|bis|or|oder|ila|ile|veya|ya da)[ -](?:\d+|${names})[ -])?`
  return new RegExp(
    String.raw`(?<!\p{L}|(?:yuz|bin|hundred|thousand)[ -])(?:(${tens})[ -])?(${names})(?=[ -]${span}(?:${units}))`,
    'gu',
  )
}
const WORDED: readonly (readonly [RegExp, ReadonlyMap<string, number>])[] = [
  [worded(TURKISH_NUMBERS, 'on|yirmi|otuz|kirk|elli|altmis', TURKISH_UNIT), TURKISH_NUMBERS],
  [
    worded(OTHER_NUMBERS, 'twenty|thirty|forty|fifty|sixty', String.raw`(?:${UNIT})(?!\p{L})`),
    OTHER_NUMBERS,
  ],
]

const NUMBER = String.raw`\d{1,6}(?:[.,]\d{1,3})?`
const AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\d.,:/])(${NUMBER})(?:[ -]?(${UNIT}))?(?: ?(?:[-–—]|(?:to|ile|ila|bis|and|und|ve) ) ?(${NUMBER})(?:[ -]?(${UNIT}))?)?(?![\p{L}\d])`,
  'gu',
)
/** Two numbers that are no span where each is of something: `2 people and 3 nights`. */
const JOINED = / (?:and|und|ve) /
const AT_LEAST =
  /(?:en az|asgari|minimum|min\.?|at least|mindestens|from|ab|over|above|more than|older than|uber|mehr als|اكثر من|فوق)(?: (?:the )?age(?: of)?)? ?$/
const AT_MOST =
  /(?:en fazla|en cok|azami|maksimum|maximum|max\.?|up to|at most|hochstens|maximal|bis(?: zu)?|under|below|less than|fewer than|younger than|unter|within|ilk|اقل من|حتي|تحت)(?: (?:the )?age(?: of)?)? ?$/
/** A notice: what is free `up to 5 days before` is free from five days on. */
const NOTICE_BEFORE =
  /(?:up to|until|till|at least|no later than|bis(?: zu)?|spatestens|mindestens|en gec|en az) ?$/
const NOTICE_AFTER =
  /^[\p{L}²³]* (?:before(?!hand)|prior|in advance|ahead|vor(?:her)?(?!\p{L})|oncesine kadar|once(?:sinde)?(?:n|ye kadar)?(?!\p{L}))/u
const NOT_MORE = /(?:no|not) (?:(?:more|older|longer|heavier) than|over|above) ?$/
const NOT_LESS = /(?:no|not) (?:(?:less|younger|fewer|shorter) than|under|below) ?$/
const OR_MORE =
  /^[\p{L}²³]*(?:['’]?[dt][ae]n|['’]?\p{L}{0,3}) (?:(?:ve|veya) )?(?:fazla|buyuk|uzun|yukari|agir|once|uzeri|ustu|asan|gecen|daha fazla|daha once)|^ ?\+|^[\p{L}²³]* (?:or|and|oder) (?:over|older|more|above|up|alter|mehr)/u
const OR_LESS =
  /^[\p{L}²³]*(?:['’]?[dt][ae]n|['’]?\p{L}{0,3}) (?:(?:ve|veya) )?(?:az|kucuk|kisa|hafif|alti|kadar|daha az|gecemez|gecmez|asamaz|asmaz)|^[\p{L}²³]* (?:or|and|oder) (?:under|less|fewer|younger|below|weniger)/u

/** Limits of age without a unit: `under 16s`, `children under 12`, `18 or over`, `ages 6 to 12`. */
const AGE_LIMIT =
  /(?<!\p{L})(under|over|below|above) (\d{1,2})s(?!\p{L})|(?<=(?<!\p{L})(?:children|kids|anyone|everyone|persons?|people|guests|visitors|customers|riders|juniors|kinder|personen)(?: aged)? )(under|over|below|above|unter|uber|ab) (\d{1,2})(?![\p{L}\d%:]|[.,]\d)/gu
const AGE_OR =
  /(?<!(?:spf|factor|size|bus|line|route|no) |[\p{L}\d.,:£€])(\d{1,2}) (?:or|and) (over|older|under|younger)(?!\p{L})/gu
const AGE_SPAN =
  /(?<!\p{L})(?:ages?|aged) (\d{1,2}) ?(?:[-–—]|to|and) ?(\d{1,2})(?! ?(?:month|kg|cm|ay|week))/gu
/** Ages without a unit: `I'm 72`, `she is 7`, `15'inde`. */
const OWN_AGE =
  /(?<!\p{L})(?:i am|i'm|i’m|im(?! \d+\. ?\p{L})|(?:he|she)(?: is|'s|’s|s)|they(?: are|'re|’re|re)|(?:son|daughter|child|kid|boy|girl|baby|grandson|granddaughter|niece|nephew|lad|mum|mom|dad|gran|grandma|grandad|dog|cat|puppy) is|(?:sohn|tochter|kind|enkel\p{L}*) (?:ist|wird)|ich bin|(?:er|sie) ist|aged) (?:only |just |nearly |almost |erst )?(\d{1,2})(?= ?(?:$|[,.?!;)]|and |und |but |can |so |en ))|(?<=(?<!\p{L})(?:\p{L}{2,}[iu]m(?:[iu]z)?|cocu[kg]\p{L}*|bebe[kg]\p{L}*|ben|kendisi|o|daha|henuz|simdi) )(\d{1,2})['’ ]?(?:inde|unda|sinda|unde)(?!\p{L})/gu
/** Words for people of an age, which limits of age are about, in years. */
const PEOPLE_OF_AGE: readonly (readonly [RegExp, number])[] = [
  [
    /(?<!\p{L})(?:pensioners?|senior citizens?|retirees?|(?:am|im|i'm|i’m|is|are) retired|emekli(?! sand)\p{L}*|rentner\p{L}*)(?!\p{L})/u,
    67,
  ],
  [/(?<!\p{L})(?:teenagers?|ergen(?:ler)?)(?!\p{L})/u, 15],
  [/(?<!\p{L})(?:toddlers?)(?!\p{L})/u, 2],
]
const SPEAKS_OF_AGE = /(?<!\p{L})(?:age[ds]?|yas\p{L}*|alter)(?!\p{L})/u
const HAS_NUMBER = /\d/
/** Letters before and after a number that may say a limit. */
const AROUND = 24

const numberOf = (text: string): number => {
  // `1.200` is a thousand and two hundred, `2,5` two and a half.
  const plain = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
    ? text.replace(/[.,]/, '')
    : text.replace(',', '.')
  return Number(plain)
}

/** Its own matches of a text; most texts have none, and looking is much cheaper than collecting. */
const allOf = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) < 0 ? [] : text.matchAll(pattern)

const withDigits = (folded: string): string =>
  WORDED.reduce(
    (text, [pattern, numbers]) =>
      text.replace(pattern, (_, tens: string | undefined, word: string) =>
        String((numbers.get(tens ?? '') ?? 0) + (numbers.get(word) ?? 0)),
      ),
    folded,
  )

const unitOf = (name: string | undefined): (typeof UNITS)[number] | undefined =>
  name === undefined ? undefined : UNITS[UNIT_NAMES.findIndex((names) => names.test(name))]

/** The numbers of a folded text with their units; see `Quantity`. */
export const readQuantities = (folded: string): Quantity[] => quantitiesIn(withDigits(folded))

function quantitiesIn(text: string): Quantity[] {
  if (!HAS_NUMBER.test(text)) return []
  const found = [...allOf(text, AMOUNT)].flatMap((match) => readAmount(match, text))
  addAges(text, found)
  return found
}

/** One number or two, each with its unit or both with one. */
function readAmount(match: RegExpExecArray, text: string): Quantity[] {
  const [all, first = '', firstName, second, secondName] = match
  const own = unitOf(firstName)
  const unit = unitOf(secondName) ?? own
  if (unit === undefined) return []
  const [dimension, factor] = unit
  const value = numberOf(first) * (own?.[1] ?? factor)
  if (second === undefined) {
    const before = text.slice(Math.max(0, match.index - AROUND), match.index)
    const end = match.index + all.length
    const after = text.slice(end - (firstName ?? '').length, end + AROUND)
    return [{ dimension, ...spanOf(value, before, after) }]
  }
  const last = numberOf(second) * factor
  const isOfEach = own !== undefined && (own[0] !== dimension || JOINED.test(all))
  if (!isOfEach) {
    // `28 to 15 days before` counts down.
    const span = { low: Math.min(value, last), high: Math.max(value, last) }
    return [{ dimension, ...span, isLimit: true }]
  }
  const each: Quantity[] = [{ dimension: own[0], low: value, high: value, isLimit: false }]
  return secondName === undefined
    ? each
    : [...each, { dimension, low: last, high: last, isLimit: false }]
}

/** The numbers of a folded question, and the ages that only who asks gives without a unit. */
export function readOwnNumbers(folded: string): Quantity[] {
  const text = withDigits(folded)
  const ages = HAS_NUMBER.test(text)
    ? [...text.matchAll(OWN_AGE)].map(([, spoken, suffixed]) => Number(spoken ?? suffixed))
    : []
  const meant = PEOPLE_OF_AGE.flatMap(([people, years]) => (people.test(text) ? [years] : []))
  const own = [...ages, ...meant].map((years): Quantity => {
    return { dimension: 'age', low: years, high: years, isLimit: false }
  })
  return [...quantitiesIn(text).map(asOwn), ...own]
}

/** The number itself of what a visitor says with a limit: `2 gün önce`, `I'm over 65`. */
function asOwn({ dimension, low, high }: Quantity): Quantity {
  const value = high === Infinity || high === low ? low : low === 0 ? high : undefined
  return value === undefined
    ? { dimension, low, high, isLimit: false }
    : { dimension, low: value, high: value, isLimit: false }
}

const ageLimit = (years: number, isBelow: boolean): Quantity => ({
  dimension: 'age',
  low: isBelow ? 0 : years,
  high: isBelow ? years : Infinity,
  isLimit: true,
})

function spanOf(value: number, before: string, after: string): Omit<Quantity, 'dimension'> {
  if (NOTICE_AFTER.test(after) && (NOTICE_BEFORE.test(before) || /kadar/.test(after)))
    return { low: value, high: Infinity, isLimit: true }
  if (OR_LESS.test(after)) return { low: 0, high: value, isLimit: true }
  if (OR_MORE.test(after)) return { low: value, high: Infinity, isLimit: true }
  if (NOT_LESS.test(before)) return { low: value, high: Infinity, isLimit: true }
  if (NOT_MORE.test(before) || AT_MOST.test(before)) return { low: 0, high: value, isLimit: true }
  if (AT_LEAST.test(before)) return { low: value, high: Infinity, isLimit: true }
  return { low: value, high: value, isLimit: false }
}

/** Adds the limits of age that no unit says, and those that are written as times: `Age: 6 to 18 months`. */
function addAges(text: string, found: Quantity[]): void {
  for (const [, limit, years, limitOf = limit ?? '', yearsOf = years] of allOf(text, AGE_LIMIT))
    found.push(ageLimit(Number(yearsOf), /^(?:under|below|unter)$/.test(limitOf)))
  for (const [, low, high] of allOf(text, AGE_SPAN))
    found.push({ dimension: 'age', low: Number(low), high: Number(high), isLimit: true })
  for (const [, years = '', side = 'over'] of allOf(text, AGE_OR)) {
    found.push(ageLimit(Number(years), /^(?:under|younger)$/.test(side)))
  }
  if (!SPEAKS_OF_AGE.test(text)) return
  for (const { dimension, low, high, isLimit } of found.slice()) {
    if (dimension !== 'time' || low < HOURS.month) continue
    found.push({ dimension: 'age', low: low / HOURS.year, high: high / HOURS.year, isLimit })
  }
}

/** The fit of a limit in the right dimension that the asked value is outside of, 0–1. */
const BESIDE = 0.5

/**
 * How well the limits among `written` fit an asked number, 0–1: 1 where a limit includes it, `BESIDE` where a limit
 * of the same dimension excludes it, 0 without such a limit. Equal numbers are matched as words, by their digits.
 */
export function fitOf(asked: readonly Quantity[], written: readonly Quantity[]): number {
  let fit = 0
  for (const wanted of asked) {
    for (const { dimension, low, high, isLimit } of written) {
      if (!isLimit || dimension !== wanted.dimension) continue
      if (wanted.low <= high && wanted.high >= low) return 1
      fit = BESIDE
    }
  }
  return fit
}

/** A unit of time before something, with an article or a word for one: `the day before`, `bir gün önce`. */
const ONE_BEFORE =
  /(?<!\p{L})(?:bir|one|an?|the|einen?) (gun|hafta|saat|day|week|hour|tag|woche|stunde) (?:once|kala|before|ahead|earlier|in advance|vorher|davor)(?!\p{L})/u
const SAME_DAY =
  /(?<!\p{L})(?:ayni gun|same day|on the day|last minute|son dakika|son anda|am selben tag|am gleichen tag)(?!\p{L})/u
const HOURS_OF_ONE: Readonly<Record<string, number>> = {
  gun: HOURS.day,
  day: HOURS.day,
  tag: HOURS.day,
  hafta: HOURS.week,
  week: HOURS.week,
  woche: HOURS.week,
}

/** The times that a folded question names, in hours: `same day` is none, `the day before` is 24. */
function timesOf(folded: string): number[] {
  const one = ONE_BEFORE.exec(folded)?.[1]
  const said = readOwnNumbers(folded).flatMap(({ dimension, low, high }) =>
    dimension === 'time' && low === high ? [low] : [],
  )
  return [
    ...said,
    ...(one === undefined ? [] : [HOURS_OF_ONE[one] ?? 1]),
    ...(SAME_DAY.test(folded) ? [0] : []),
  ]
}

/** Whether a folded question names a time that the limits of a folded sentence exclude. */
export function isOutsideTime(question: string, sentence: string): boolean {
  const limits = readQuantities(sentence).filter(
    ({ dimension, isLimit }) => dimension === 'time' && isLimit,
  )
  if (limits.length === 0) return false
  return timesOf(question).some(
    (time) => !limits.some(({ low, high }) => time >= low && time <= high),
  )
}
