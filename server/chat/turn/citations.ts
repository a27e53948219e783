import { belowTitle } from '../../knowledge/parsers/chunk.ts'
import type { Hit } from '../../knowledge/search/hit.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { sentences } from '../../lib/text/sentences.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import type { Citation } from '../schema.ts'

const MAX_CITATIONS = 3
const MAX_QUOTE_LENGTH = 300

/** A text, with its words once they were compared. */
interface Compared {
  text: string
  words?: ReadonlySet<string>
}

type Quotable = Map<Hit['passage'], Compared[]>

/** Passages whose sentences are kept: a site's visitors ask for the same ones again and again. */
const MAX_KEPT = 500
/** The sentences of passages that may be quoted, by the indexes of a process. */
const keptFor = new WeakMap<object, Quotable>()

/**
 * Returns the citations of an answer, each page once, in the order of use. `indexes` are those that the hits
 * are from: the sentences of the last passages are kept for as long as these.
 */
export function buildCitations(
  indexes: object,
  hits: readonly Hit[],
  used: readonly number[],
  answer: string,
): Citation[] {
  const citations = new Map<string, Citation>()
  const said = { text: answer }
  const kept: Quotable = keptFor.get(indexes) ?? new Map()
  keptFor.set(indexes, kept)
  for (const place of used) {
    const passage = hits[place]?.passage
    if (!passage || citations.has(passage.doc_id)) continue
    const quote = quotedText(quotableSentences(passage, kept), said)
    citations.set(passage.doc_id, {
      title: passage.title,
      url: passage.url,
      heading: belowTitle(passage.heading, passage.title),
      anchor: passage.anchor,
      ...(quote === undefined ? {} : { quote }),
    })
  }
  return [...citations.values()].slice(0, MAX_CITATIONS)
}

/**
 * Returns the sentence of a passage that the answer repeats, else the one that it shares most words
 * with: browsers find it on the page.
 */
function quotedText(found: readonly Compared[], answer: Compared): string | undefined {
  const repeated = found.find(({ text }) => answer.text.includes(text))
  return repeated?.text ?? mostAlike(found, answer)
}

/** The sentences of a passage but its code and tables, which pages render differently. */
function quotableSentences(passage: Hit['passage'], kept: Quotable): Compared[] {
  const known = kept.get(passage)
  if (known !== undefined) return known
  const prose = passage.text.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n')
  const found = prose
    .filter((line) => !line.includes('|') && !line.includes('`'))
    .flatMap((line) => sentences(line.replace(/^- /, '')))
    .filter((sentence) => sentence.length > 0 && sentence.length <= MAX_QUOTE_LENGTH)
    .map((text) => ({ text }))
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(passage, found)
  return found
}

function mostAlike(candidates: readonly Compared[], answer: Compared): string | undefined {
  let best = candidates[0]?.text
  let most = 0
  for (const candidate of candidates) {
    const words = wordsOf(candidate)
    let common = 0
    for (const word of words) if (wordsOf(answer).has(word)) common += 1
    // A long sentence has more words in common by chance.
    const likeness = common / Math.sqrt(words.size + 1)
    if (likeness > most) [best, most] = [candidate.text, likeness]
  }
  return best
}

function wordsOf(compared: Compared): ReadonlySet<string> {
  compared.words ??= new Set(
    splitWords(compared.text)
      .map(fold)
      .filter((word) => !isStopWord(word)),
  )
  return compared.words
}
