import { fold, words } from '../lib/fold.ts'
import { sentences } from '../lib/sentences.ts'

/** A word of the question, the spellings that stand for it, and what it is worth (0–1). */
export interface AnswerTerm {
  folded: string
  forms: readonly string[]
  weight: number
}

/** One sentence, item or short piece of code that an answer may quote. */
export interface Quote {
  text: string
  kind: 'sentence' | 'item' | 'code'
  /** Place in its passage. */
  at: number
  /** How much of the question it holds, by weight. */
  score: number
}

const LONGEST_READ = 6_000
const LONGEST_ENDING = 6
const FENCE = /^(?:`{3,}|~{3,})/
const MARKER = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/

interface Piece {
  text: string
  kind: Quote['kind']
}

/** Parts a passage into what can be quoted by itself. Tables are left out: they need their head. */
function piecesOf(passage: string): Piece[] {
  const pieces: Piece[] = []
  let code: string[] | undefined
  for (const line of passage.slice(0, LONGEST_READ).split('\n')) {
    const isFence = FENCE.test(line)
    if (code !== undefined) {
      code.push(line)
      if (!isFence) continue
      pieces.push({ kind: 'code', text: code.join('\n') })
      code = undefined
    } else if (isFence) code = [line]
    else if (line.trim() === '' || line.trimStart().startsWith('|')) continue
    else {
      const kind = MARKER.test(line) ? 'item' : 'sentence'
      const found = sentences(line.replace(MARKER, ''))
      for (const text of found) pieces.push({ kind, text })
    }
  }
  return pieces
}

function matches(word: string, form: string): boolean {
  return word.startsWith(form) &&
    (word === form || form.length >= 4 || word.length - form.length <= 3)
    ? word.length - form.length <= LONGEST_ENDING
    : false
}

/** The share of the question that a text holds: the weights of the terms that occur in it. */
export function measure(text: string, terms: readonly AnswerTerm[]): number {
  const found = new Set(words(text).map(fold))
  let score = 0
  for (const term of terms) {
    const isThere = [...found].some((word) => term.forms.some((form) => matches(word, form)))
    if (isThere) score += term.weight
  }
  return score
}

/** What a passage offers to quote, in reading order, each measured against the question. */
export function quotesOf(passage: string, terms: readonly AnswerTerm[]): Quote[] {
  return piecesOf(passage).map((piece, at) => ({ ...piece, at, score: measure(piece.text, terms) }))
}
