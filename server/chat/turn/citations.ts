import { HEADING_SEPARATOR } from '../../knowledge/parsers/chunk.ts'
import type { Hit } from '../../knowledge/search/search-index.ts'
import { sentences } from '../../lib/text/sentences.ts'
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
 * Returns the sentence of a passage that the answer repeats, else the first one: browsers find it
 * on the page. Code and tables are skipped, because pages render them differently.
 */
function quotedText(passage: string, answer: string): string | undefined {
  const prose = passage.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n')
  const found = prose
    .filter((line) => !line.includes('|') && !line.includes('`'))
    .flatMap((line) => sentences(line.replace(/^- /, '')))
    .filter((sentence) => sentence.length > 0 && sentence.length <= MAX_QUOTE_LENGTH)
  return found.find((sentence) => answer.includes(sentence)) ?? found[0]
}

/** Returns a heading's path without a leading page title. */
function belowTitle(heading: string, title: string): string {
  const start = `${title}${HEADING_SEPARATOR}`
  return heading.startsWith(start) ? heading.slice(start.length) : heading
}
