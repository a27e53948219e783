import { estimateTokens } from '../../lib/tokens.ts'
import { answerFromPassages } from './answer.ts'
import { inPieces } from './chunk.ts'
import { MAX_ANSWER_LENGTH } from './quotes.ts'
import type { AnswerPiece, AnswerRequest, Provider, Usage } from '../provider.ts'

/** Answers from the passages themselves: no key, no network, and nothing that is not in them. */
export const embedded: Provider = {
  name: 'embedded',

  mostUsage(question: string): Usage {
    return {
      inputTokens: estimateTokens(question) + MAX_ANSWER_LENGTH / 4,
      outputTokens: Math.ceil(MAX_ANSWER_LENGTH / 4),
    }
  },

  async *answer(request: AnswerRequest, signal: AbortSignal): AsyncGenerator<AnswerPiece> {
    const { content, used, confidence, known, isGreeting } = answerFromPassages(request)
    for (const delta of inPieces(content)) {
      if (signal.aborted) break
      yield { delta }
    }
    const outputTokens = estimateTokens(content)
    const inputTokens = estimateTokens(request.question) + (known ? outputTokens : 0)
    yield {
      end: {
        usage: { inputTokens, outputTokens },
        used,
        confidence,
        isUnknown: !known && !isGreeting,
      },
    }
  },
}
