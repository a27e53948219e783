import { HEADING_SEPARATOR } from '../../knowledge/parsers/chunk.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { fold, splitWords } from '../../lib/text/fold.ts'
import { sentences } from '../../lib/text/sentences.ts'
import { isStopWord } from '../../lib/text/stop-words.ts'
import type { Citation } from '../schema.ts'

const MAX_CITATIONS = 3
const MAX_QUOTE_LENGTH = 300

/** Returns the citations of an answer, each page once, in the order of use. */
export function buildCitations(
  hits: readonly Hit[],
  used: readonly number[],
  answer: string,
): Citation[] {
  const citations = new Map<string, Citation>()
  for (const place of used) {
    const passage = hits[place]?.passage
    if (!passage || citations.has(passage.doc_id)) continue
    const quote = quotedText(passage.text, answer)
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
 * with: browsers find it on the page. Code and tables are skipped, because pages render them
 * differently.
 */
function quotedText(passage: string, answer: string): string | undefined {
  const prose = passage.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n')
  const found = prose
    .filter((line) => !line.includes('|') && !line.includes('`'))
    .flatMap((line) => sentences(line.replace(/^- /, '')))
    .filter((sentence) => sentence.length > 0 && sentence.length <= MAX_QUOTE_LENGTH)
  return found.find((sentence) => answer.includes(sentence)) ?? mostAlike(found, answer)
}

function mostAlike(candidates: readonly string[], answer: string): string | undefined {
  const said = wordsOf(answer)
  let [best] = candidates
  let most = 0
  for (const candidate of candidates) {
    const words = wordsOf(candidate)
    const common = [...words].filter((word) => said.has(word)).length
    // A long sentence has more words in common by chance.
    const likeness = common / Math.sqrt(words.size + 1)
    if (likeness > most) [best, most] = [candidate, likeness]
  }
  return best
}

function wordsOf(text: string): Set<string> {
  return new Set(
    splitWords(text)
      .map(fold)
      .filter((word) => !isStopWord(word)),
  )
}

/** Returns a heading's path without a leading page title. */
function belowTitle(heading: string, title: string): string {
  const start = `${title}${HEADING_SEPARATOR}`
  return heading.startsWith(start) ? heading.slice(start.length) : heading
}
