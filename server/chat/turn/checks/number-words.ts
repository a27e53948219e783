/** Words that stand for a number and for nothing else, in the languages of the product. */
const UNITS: readonly (readonly [number, string])[] = [
  [0, 'sıfır zero'],
  [1, 'bir one ein eins eine einen einem einer واحد واحدة'],
  [2, 'iki two zwei اثنان اثنين اثنتان اثنتين'],
  [3, 'üç three drei ثلاثة ثلاث'],
  [4, 'dört four vier أربعة أربع'],
  [5, 'beş five fünf خمسة خمس'],
  [6, 'altı six sechs ستة ست'],
  [7, 'yedi seven sieben سبعة سبع'],
  [8, 'sekiz eight acht ثمانية ثماني ثمان'],
  [9, 'dokuz nine neun تسعة تسع'],
  [10, 'on ten zehn عشرة عشر'],
  [11, 'eleven elf'],
  [12, 'twelve zwölf dozen düzine dutzend'],
  [13, 'thirteen dreizehn'],
  [14, 'fourteen vierzehn'],
  [15, 'fifteen fünfzehn'],
  [16, 'sixteen sechzehn'],
  [17, 'seventeen siebzehn'],
  [18, 'eighteen achtzehn'],
  [19, 'nineteen neunzehn'],
  [20, 'yirmi twenty zwanzig عشرون عشرين'],
  [30, 'otuz thirty dreißig ثلاثون ثلاثين'],
  [40, 'kırk forty vierzig أربعون أربعين'],
  [50, 'elli fifty fünfzig خمسون خمسين'],
  [60, 'altmış sixty sechzig ستون ستين'],
  [70, 'yetmiş seventy siebzig سبعون سبعين'],
  [80, 'seksen eighty achtzig ثمانون ثمانين'],
  [90, 'doksan ninety neunzig تسعون تسعين'],
  [100, 'yüz hundred hundert مئة مائة'],
  [1_000, 'bin thousand tausend ألف آلاف'],
  [1_000_000, 'milyon million مليون'],
]
const GERMAN_UNITS = ['ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun']
const GERMAN_TENS: readonly (readonly [number, string])[] = [
  [20, 'zwanzig'],
  [30, 'dreißig'],
  [40, 'vierzig'],
  [50, 'fünfzig'],
  [60, 'sechzig'],
  [70, 'siebzig'],
  [80, 'achtzig'],
  [90, 'neunzig'],
]
/** Words that mean something else more often, where no other number and no unit is beside them. */
const AMBIGUOUS = new Set(['on', 'bin', 'yüz', 'altı', 'elf', 'acht', 'kırk'])
/** `one` is an article or a pronoun in most sentences. */
const ARTICLE = 1
/** Beginnings of words that are counted. */
const COUNTED =
  /^(?:gün|saat|ay(?:dan|lık|da)?$|hafta|yıl|dakika|tl$|lira|kişi|adet|taksit|iş$|yaş|tag|uhr$|stunde|woche|monat|jahr|euro|prozent|person|minute)/u

const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
  ...GERMAN_TENS.flatMap(([tens, word]) =>
    GERMAN_UNITS.map((unit, at) => [`${unit}und${word}`, tens + at + 1] as const),
  ),
])

interface NumberWord {
  word: string
  value: number
}

/**
 * Returns the numbers that a text spells out, such as 25 for `twenty-five` and `yirmi beş`. `isStrict`
 * leaves out single words that mostly mean something else, such as the Turkish `on` in English.
 */
export function spelledNumbers(text: string, { isStrict }: { isStrict: boolean }): number[] {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
  const found: number[] = []
  let group: NumberWord[] = []
  for (const word of [...words, '']) {
    const value = VALUES.get(word)
    if (value !== undefined && (group.length === 0 || canFollow(group.at(-1)?.value ?? 0, value))) {
      group.push({ word, value })
      continue
    }
    if (group.length > 0 && (!isStrict || isMeant(group, word))) {
      found.push(valueOf(group))
    }
    group = value === undefined ? [] : [{ word, value }]
  }
  return found
}

/** Tens are followed by units, multipliers by anything smaller, and anything by a multiplier. */
function canFollow(before: number, value: number): boolean {
  if (value >= 100) return value > before || before < 100
  return before >= 100 || (before >= 10 && before % 10 === 0 && value < 10 && value > 0)
}

function isMeant(group: readonly NumberWord[], next: string): boolean {
  const [first] = group
  if (group.length > 1 || !first) return true
  if (first.value === ARTICLE) return false
  return !AMBIGUOUS.has(first.word) || COUNTED.test(next)
}

function valueOf(group: readonly NumberWord[]): number {
  let total = 0
  let current = 0
  for (const { value } of group) {
    if (value >= 1_000) {
      total += (current || 1) * value
      current = 0
    } else if (value === 100) current = (current || 1) * value
    else current += value
  }
  return total + current
}
