import { estimateTokens } from '../lib/tokens.ts'
import { answerFromPassages } from './embedded-answer.ts'
import { MAX_ANSWER_LENGTH } from './embedded-quotes.ts'
import type { AnswerPiece, AnswerRequest, Provider, Usage } from './provider.ts'

/** Long enough to be few, short enough that the first is on the screen at once. */
const PIECE_LENGTH = 24

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

/** Cuts between words; put together again, the pieces are the text. */
function inPieces(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const word of text.split(/(?<=\s)/)) {
    piece += word
    if (piece.length < PIECE_LENGTH) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece) pieces.push(piece)
  return pieces
}
