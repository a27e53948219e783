import type { AnswerHit } from './embedded-answer.ts'
import type { Milli } from '../lib/money.ts'

export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** A visitor's question and what the knowledge base has on it. All of it is data. */
export interface AnswerRequest {
  question: string
  /** The conversation's language, for questions that do not give theirs away. */
  locale: string
  hits: readonly AnswerHit[]
  /** 0–1: below this confidence the answer is "I don't know". */
  threshold: number
}

/** How an answer ended: what it rests on, and what it took. */
export interface AnswerEnd {
  usage: Usage
  /** Places in `hits` of the passages that were used, the main one first. */
  used: readonly number[]
  confidence: number
  /** True when the answer is an honest "I don't know". */
  isUnknown: boolean
  /** What the page shows below the answer, where that was asked for. */
  form?: 'lead' | 'appointment' | undefined
  /** Charges the price to the model that wrote the answer. */
  meter?: { charge(cost: Milli): void }
}

export type AnswerPiece = { delta: string } | { end: AnswerEnd }

/** What writes answers: the embedded one, or a model behind an API. */
export interface Provider {
  readonly name: string
  /** The most that an answer to this question can use; what it costs is held before it starts. */
  mostUsage(question: string): Usage
  /** The answer in pieces, then its end. Stops when the signal does. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncIterable<AnswerPiece>
}
