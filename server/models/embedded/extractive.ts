import { estimateTokens } from '../../lib/token-estimate.ts'
import type { Language } from '../../lib/text/language.ts'
import type { Milli } from '../../lib/money.ts'
import type { Usage } from '../model.ts'
import { maxLengthFor } from './answers/quotes.ts'
import { buildReply, type ReplyRequest } from './answers/reply.ts'
import { chunkText } from './chunk.ts'

declare module '../../context.ts' {
  interface Services {
    /** Writes answers from passages alone, without a language model. */
    readonly extractive: ExtractiveAnswerer
  }
}

/** The end of an answer: its usage, its sources and its confidence. */
export interface AnswerEnd {
  usage: Usage
  /** Indexes in `hits` of the quoted passages, the main one first. */
  used: readonly number[]
  confidence: number
  /** True for the answer "I don't know". */
  isUnknown: boolean
  /** The questions without an answer of a message that asks several, beside those that have one. */
  unanswered?: readonly string[] | undefined
  /** The form that the page shows below the answer, where a tool asked for one. */
  form?: 'lead' | 'appointment' | undefined
  /** Whether the extractive answerer replied to small talk, or said that it is not sure. */
  manner?: 'small_talk' | 'unsure' | undefined
  /** The language of the sentences around the quotes, where it is known. */
  language?: Language | undefined
  /** What the visitor may answer with one press. */
  quickReplies?: readonly string[]
  /** Charges the price to the model that wrote the answer. */
  meter?: { charge(cost: Milli): void }
}

export type AnswerPiece = { delta: string } | { end: AnswerEnd }

/** Answers from the sentences of passages alone, without a model. */
export interface ExtractiveAnswerer {
  readonly name: string
  /** Upper bound of an answer's usage, which prices the hold of credits before the turn. */
  maxUsage(question: string): Usage
  /** Streams the answer in chunks, then its end. Stops on abort. */
  answer(request: ReplyRequest, signal: AbortSignal): AsyncIterable<AnswerPiece>
}

/** The built-in answerer. It needs neither a key nor a network, and quotes passages only. */
export const extractiveAnswerer: ExtractiveAnswerer = {
  name: 'embedded',

  maxUsage(question: string): Usage {
    return {
      inputTokens: estimateTokens(question),
      outputTokens: Math.ceil(maxLengthFor(question) / 4),
    }
  },

  async *answer(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const { content, used, confidence, ...reply } = buildReply(request)
    for (const delta of chunkText(content)) {
      if (signal.aborted) break
      yield { delta }
    }
    const outputTokens = estimateTokens(content)
    const usage = { inputTokens: estimateTokens(request.question), outputTokens }
    const { language } = request.reading
    yield { end: { usage, used, confidence, language, ...reply } }
  },
}
