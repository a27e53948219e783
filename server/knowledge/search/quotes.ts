import { splitWords } from '../../lib/text/fold.ts'
import type { Stemmer } from '../../lib/text/stemmer.ts'
import { detectLanguage, type Language } from '../../lib/text/language.ts'
import { sentences } from '../../lib/text/sentences.ts'
import type { Vocabulary } from './vocabulary.ts'

export type QuoteKind = 'sentence' | 'item' | 'row' | 'code'

/** A part of a passage that can be quoted by itself. */
interface QuoteCandidate {
  text: string
  kind: QuoteKind
  /** The index terms of its words, each once. */
  terms: Uint32Array
}

/** A passage as an answer reads it. Made when it is first found, then kept with the index. */
export interface QuotablePassage {
  pieces: readonly QuoteCandidate[]
  heading: Uint32Array
  language: Language | undefined
}

/** A piece measured against a question. */
export interface Quote {
  text: string
  kind: QuoteKind
  /** Place in its passage. */
  at: number
  /** The share of the question that it holds, 0–1 by weight. */
  score: number
}

const MAX_QUOTABLE_LENGTH = 6_000
const LANGUAGE_SAMPLE = 600
const FENCE = /^(?:`{3,}|~{3,})/
const MARKER = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/
const TABLE_RULE = /^[|:\-\s]+$/

type QuotePart = Omit<QuoteCandidate, 'terms'>

function readRow(line: string): QuotePart[] {
  if (TABLE_RULE.test(line)) return []
  const cells = line.split('|').map((cell) => cell.trim())
  return [{ kind: 'row', text: cells.filter((cell) => cell.length > 1).join(' — ') }]
}

/** Parts a passage into what can be quoted by itself. The head of a table is left out. */
function partsOf(passage: string): QuotePart[] {
  const parts: QuotePart[] = []
  const lines = passage.slice(0, MAX_QUOTABLE_LENGTH).split('\n')
  let code: string[] | undefined
  for (const [at, line] of lines.entries()) {
    const isFence = FENCE.test(line)
    if (code !== undefined) {
      code.push(line)
      if (!isFence) continue
      parts.push({ kind: 'code', text: code.join('\n') })
      code = undefined
    } else if (isFence) code = [line]
    else if (line.startsWith('|')) {
      if (!TABLE_RULE.test(lines[at + 1] ?? 'none')) parts.push(...readRow(line))
    } else if (line.trim() !== '') {
      const kind = MARKER.test(line) ? 'item' : 'sentence'
      for (const text of sentences(line.replace(MARKER, ''))) parts.push({ kind, text })
    }
  }
  return parts
}

function termsOf(text: string, vocabulary: Vocabulary, stemmer: Stemmer): Uint32Array {
  const found = new Set<number>()
  for (const word of splitWords(text)) {
    for (const form of stemmer.forms(word)) {
      const id = vocabulary.find(form)
      if (id !== undefined) found.add(id)
    }
  }
  return Uint32Array.from(found)
}

/** Reads a passage once for all questions to come. */
export function splitQuotes(
  { heading, text }: { heading: string; text: string },
  vocabulary: Vocabulary,
  stemmer: Stemmer,
): QuotablePassage {
  const pieces = partsOf(text).map((part) => ({
    ...part,
    terms: part.kind === 'code' ? new Uint32Array() : termsOf(part.text, vocabulary, stemmer),
  }))
  return {
    pieces,
    heading: termsOf(heading, vocabulary, stemmer),
    language: detectLanguage(text.slice(0, LANGUAGE_SAMPLE)),
  }
}

/** Measures pieces against one question: its terms, with the words they stand for as bits. */
export class QuoteScorer {
  private readonly bits = new Map<number, number>()
  private readonly shares: readonly number[]

  /** At most 31 words, for each of which there is a bit. */
  constructor(asked: readonly { weight: number; ids: readonly number[] }[]) {
    const total = asked.reduce((sum, word) => sum + word.weight, 0)
    this.shares = asked.map((word) => word.weight / Math.max(total, Number.EPSILON))
    for (const [at, word] of asked.entries()) {
      for (const id of word.ids) this.bits.set(id, (this.bits.get(id) ?? 0) | (1 << at))
    }
  }

  /** The share of the question that these terms hold, 0–1 by weight. */
  of(terms: Uint32Array): number {
    let found = 0
    for (const id of terms) found |= this.bits.get(id) ?? 0
    let sum = 0
    for (let at = 0; found !== 0; at += 1, found >>>= 1) {
      if ((found & 1) === 1) sum += this.shares[at] ?? 0
    }
    return sum
  }

  quotes(reading: QuotablePassage): Quote[] {
    return reading.pieces.map(({ text, kind, terms }, at) => ({
      text,
      kind,
      at,
      score: this.of(terms),
    }))
  }
}
