import { fold, words } from '../lib/fold.ts'
import { sentences } from '../lib/sentences.ts'

/** A word of the question, the spellings that stand for it, and what it is worth (0–1). */
export interface AnswerTerm {
  folded: string
  forms: readonly string[]
  weight: number
  /** A word of any topic, such as `kullanmak` or `best`. */
  isGeneral: boolean
}

/** One sentence, item, table row or piece of code that an answer may quote. */
export interface Quote {
  text: string
  kind: 'sentence' | 'item' | 'row' | 'code'
  /** Place in its passage. */
  at: number
  /** The share of the question that it holds, 0–1 by weight. */
  score: number
}

const LONGEST_READ = 6_000
const LONGEST_ENDING = 6
const SHORTEST_STEM = 4
const LONGEST_SHORT_ENDING = 3
const FENCE = /^(?:`{3,}|~{3,})/
const MARKER = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/
const TABLE_RULE = /^[|:\-\s]+$/

interface Piece {
  text: string
  kind: Quote['kind']
}

function readRow(line: string): Piece[] {
  if (TABLE_RULE.test(line)) return []
  const cells = line.split('|').map((cell) => cell.trim())
  return [{ kind: 'row', text: cells.filter((cell) => cell.length > 1).join(' — ') }]
}

/** Parts a passage into what can be quoted by itself. The head of a table is left out. */
function piecesOf(passage: string): Piece[] {
  const pieces: Piece[] = []
  const lines = passage.slice(0, LONGEST_READ).split('\n')
  let code: string[] | undefined
  for (const [at, line] of lines.entries()) {
    const isFence = FENCE.test(line)
    if (code !== undefined) {
      code.push(line)
      if (!isFence) continue
      pieces.push({ kind: 'code', text: code.join('\n') })
      code = undefined
    } else if (isFence) code = [line]
    else if (line.startsWith('|')) {
      if (!TABLE_RULE.test(lines[at + 1] ?? 'head')) pieces.push(...readRow(line))
    } else if (line.trim() !== '') {
      const kind = MARKER.test(line) ? 'item' : 'sentence'
      for (const text of sentences(line.replace(MARKER, ''))) pieces.push({ kind, text })
    }
  }
  return pieces
}

/** Whether a word is a form, or a form with an ending: a short form takes a short one. */
function isFormOf(word: string, form: string): boolean {
  if (!word.startsWith(form)) return false
  const ending = word.length - form.length
  return ending <= (form.length >= SHORTEST_STEM ? LONGEST_ENDING : LONGEST_SHORT_ENDING)
}

/** Measures texts against the words of one question. Remembers the words it has seen. */
export class Relevance {
  private readonly terms: readonly AnswerTerm[]
  private readonly total: number
  private readonly seen = new Map<string, readonly number[]>()

  constructor(terms: readonly AnswerTerm[]) {
    this.terms = terms
    this.total = Math.max(
      1e-9,
      terms.reduce((sum, term) => sum + term.weight, 0),
    )
  }

  /** The share of the question that a text holds, 0–1 by weight. */
  of(text: string): number {
    const found = new Set<number>()
    for (const word of words(text)) for (const at of this.termsOf(word)) found.add(at)
    let sum = 0
    for (const at of found) sum += this.terms[at]?.weight ?? 0
    return sum / this.total
  }

  private termsOf(word: string): readonly number[] {
    const known = this.seen.get(word)
    if (known !== undefined) return known
    const folded = fold(word)
    const found: number[] = []
    for (const [at, term] of this.terms.entries()) {
      if (term.forms.some((form) => isFormOf(folded, form))) found.push(at)
    }
    this.seen.set(word, found)
    return found
  }
}

/** What a passage offers to quote, in reading order, each measured against the question. */
export function quotesOf(passage: string, relevance: Relevance): Quote[] {
  return piecesOf(passage).map((piece, at) => ({
    ...piece,
    at,
    score: piece.kind === 'code' ? 0 : relevance.of(piece.text),
  }))
}
