import type { Language } from '../../lib/text/language.ts'
import { paragraphsOf } from './summary.ts'
import { Terms } from './terms.ts'

/** Occurrences from which a pair of words counts as one term, such as "return policy". */
const PAIR = 2
/** Weight of a word in a heading, which names the topic. */
const IN_HEADING = 2

interface Keyword {
  stems: readonly string[]
  /** Spellings and their counts. */
  written: Map<string, number>
  count: number
  first: number
}

/** The `count` most descriptive words and pairs of words of a text, best first. */
export function keywordsOf(text: string, count: number, language: Language): string[] {
  const terms = new Terms()
  const found = new Map<string, Keyword>()
  let place = 0

  const note = (stems: readonly string[], written: string, weight: number): void => {
    const key = stems.join(' ')
    const known = found.get(key) ?? { stems, written: new Map(), count: 0, first: place }
    known.count += weight
    const form = written.toLocaleLowerCase(language)
    known.written.set(form, (known.written.get(form) ?? 0) + 1)
    found.set(key, known)
  }

  for (const { text: paragraph, isHeading } of paragraphsOf(text)) {
    const weight = isHeading ? IN_HEADING : 1
    // A pair spans neither a comma nor the end of a sentence.
    for (const clause of paragraph.split(/[.,;:!?()«»"“”—–]\s*/)) {
      const inClause = terms.read(clause)
      for (const [at, term] of inClause.entries()) {
        place += 1
        if (!term) continue
        note([term.stem], term.word, weight)
        const next = inClause[at + 1]
        if (next) note([term.stem, next.stem], `${term.word} ${next.word}`, weight)
      }
    }
  }
  return best([...found.values()], count).map(commonForm)
}

function best(found: readonly Keyword[], count: number): Keyword[] {
  const pairs = found.filter(({ stems, count: times }) => stems.length === 2 && times >= PAIR)
  const inPairs = new Map<string, number>()
  for (const { stems, count: times } of pairs) {
    for (const stem of stems) inPairs.set(stem, Math.max(inPairs.get(stem) ?? 0, times))
  }
  const singles = found
    .filter(({ stems }) => stems.length === 1)
    // Occurrences inside a pair count for the pair.
    .map((one) => ({ ...one, count: one.count - (inPairs.get(one.stems[0] ?? '') ?? 0) }))
    .filter(({ count: times }) => times > 0)
  const values = [...pairs.map((pair) => ({ ...pair, count: pair.count * 1.5 })), ...singles]
  return values.toSorted((a, b) => b.count - a.count || a.first - b.first).slice(0, count)
}

/** The most frequent spelling; the shorter one of two equally frequent ones. */
function commonForm({ written }: Keyword): string {
  const forms = [...written].toSorted(
    ([a, timesOfA], [b, timesOfB]) => timesOfB - timesOfA || a.length - b.length,
  )
  return forms[0]?.[0] ?? ''
}
