import { sentences } from '../../lib/text/sentences.ts'
import { Terms } from './terms.ts'

/** Largest penalty of a sentence that repeats the summary so far. */
const REPETITION = 0.7
const MIN_SENTENCE_LENGTH = 25
/** The end of a complete sentence. */
const ENDED = /[.!?…:]['"”’»)]*$/
const MARKUP = /^(?:#{1,6}\s+|[-*+•]\s+|\d{1,3}[.)]\s+|>\s+)/

interface Rated {
  at: number
  text: string
  stems: ReadonlySet<string>
  value: number
}

/** The paragraphs of a text without list and heading marks, and whether each is a heading. */
export function paragraphsOf(text: string): { text: string; isHeading: boolean }[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s))|(?<=^#{1,6} .*)\n/m)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({
      text: part.replace(MARKUP, '').replaceAll(/\s+/g, ' '),
      isHeading: /^#{1,6}\s/.test(part),
    }))
}

/**
 * The `count` most representative sentences, verbatim and in order: those with the most frequent
 * terms, with a small bonus for the opening and a penalty for repetition.
 */
export function summarise(text: string, count: number): string[] {
  const terms = new Terms()
  const all = paragraphsOf(text)
    .filter(({ isHeading }) => !isHeading)
    .flatMap((paragraph) => sentences(paragraph.text))
  const stemsOf = all.map((sentence) => terms.read(sentence).flatMap((term) => term?.stem ?? []))
  const weights = new Map<string, number>()
  for (const stems of stemsOf) {
    for (const stem of new Set(stems)) weights.set(stem, (weights.get(stem) ?? 0) + 1)
  }
  const rated = all.map((sentence, at): Rated => {
    const stems = new Set(stemsOf[at])
    const sum = [...stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0)
    const length = Math.sqrt(Math.max(stems.size, 4))
    const opening = at === 0 ? 1.25 : at < 3 ? 1.1 : 1
    const shape = sentence.endsWith('?') ? 0.4 : sentence.length < MIN_SENTENCE_LENGTH ? 0.6 : 1
    return { at, text: sentence, stems, value: (sum / length) * opening * shape }
  })
  return choose(rated, count)
    .toSorted((a, b) => a.at - b.at)
    .map((sentence) => sentence.text)
}

/** Joins sentences; a list item, which has no full stop, gets a line of its own. */
export function inOneText(said: readonly string[]): string {
  let text = ''
  for (const [at, sentence] of said.entries()) {
    const before = said[at - 1]
    if (before !== undefined) text += ENDED.test(before) && ENDED.test(sentence) ? ' ' : '\n'
    text += sentence
  }
  return text
}

function choose(rated: readonly Rated[], count: number): Rated[] {
  const left = new Set(rated)
  const chosen: Rated[] = []
  const said = new Set<string>()
  while (chosen.length < count && left.size > 0) {
    let best: Rated | undefined
    let max = -1
    for (const sentence of left) {
      const again = [...sentence.stems].filter((stem) => said.has(stem)).length
      const share = sentence.stems.size === 0 ? 1 : again / sentence.stems.size
      const value = sentence.value * (1 - REPETITION * share)
      if (value > max) {
        best = sentence
        max = value
      }
    }
    if (!best) break
    left.delete(best)
    chosen.push(best)
    for (const stem of best.stems) said.add(stem)
  }
  return chosen
}
