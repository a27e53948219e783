import { estimateTokens, estimateTokensOf } from '../../lib/tokens.ts'
import { EventLines } from './sse-parser.ts'
import { Exchange, type Post, type Upstream } from './provider-request.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateEnd, GeneratePiece, GenerateRequest, TextPiece, ToolCall } from '../model.ts'

/** Longest answer without a stream, in UTF-16 units. */
const MAX_ANSWER_LENGTH = 16_000_000

/** Reads one answer of one provider's protocol. */
export interface AnswerReader {
  /** True once the protocol's own end was there; without it the answer was cut. */
  readonly isWhole: boolean
  /** Takes the data of one event; gives the text in it. Throws `ModelFailure`. */
  takeEvent(data: string): string
  /** Takes the answer of a provider that did not stream; gives its text. Throws `ModelFailure`. */
  takeAnswer(json: string): string
  /** The tools that were asked for. */
  calls(): ToolCall[]
  /** How it ended; `text` is how long the text was. */
  end(outputLength: number): GenerateEnd
}

/** Sends a request and passes the answer on as it comes; see `Model.generate`. */
export async function* answerOver(
  upstream: Upstream,
  prepare: () => { post: Post; reader: AnswerReader },
  { mayJoin = false, signal }: { mayJoin: boolean | undefined; signal: AbortSignal },
): AsyncGenerator<GeneratePiece> {
  const { post, reader } = prepare()
  const exchange = await Exchange.open(upstream, post, signal)
  let length = 0
  try {
    if (exchange.isJson) {
      const answer = await exchange.readAll(MAX_ANSWER_LENGTH)
      if (exchange.isClosed) return
      const delta = reader.takeAnswer(answer)
      length = delta.length
      if (delta !== '') yield { delta }
    } else {
      const lines = new EventLines()
      while (!reader.isWhole) {
        const text = await exchange.read()
        const { parts, failure } = take(reader, lines, text)
        for (const piece of mayJoin ? joined(parts) : parts.map((delta) => ({ delta }))) {
          if (exchange.isClosed) return
          length += piece.delta.length
          yield piece
        }
        if (exchange.isClosed) return
        if (failure) throw failure
        if (text === undefined && !reader.isWhole) {
          throw broken('The answer of the model broke off.')
        }
      }
    }
    exchange.finish()
    for (const call of reader.calls()) yield { call }
    yield { end: reader.end(length) }
  } finally {
    exchange.close()
  }
}

function joined(parts: readonly string[]): TextPiece[] {
  const delta = parts.join('')
  if (parts.length < 2) return delta === '' ? [] : [{ delta }]
  return [{ delta, parts }]
}

/** The texts of the events that are whole now, as far as the first that is wrong. */
function take(
  reader: AnswerReader,
  lines: EventLines,
  text: string | undefined,
): { parts: string[]; failure?: unknown } {
  const parts: string[] = []
  try {
    for (const data of eventsIn(lines, text)) {
      const part = reader.takeEvent(data)
      if (part !== '') parts.push(part)
      if (reader.isWhole) break
    }
    return { parts }
  } catch (failure) {
    return { parts, failure }
  }
}

function eventsIn(lines: EventLines, text: string | undefined): string[] {
  try {
    return text === undefined ? lines.end() : lines.push(text)
  } catch (error) {
    throw broken('The model provider sent something unreadable.', error)
  }
}

/** What went wrong at the provider may go well another time. */
export function broken(message: string, cause?: unknown): ModelFailure {
  return new ModelFailure('failed', message, { isTransient: true, cause })
}

/** The usage that the provider gave, and what it left out by an estimate. */
export function usageOf(
  request: GenerateRequest,
  given: { input: number | undefined; output: number | undefined },
  outputLength: number,
): Pick<GenerateEnd, 'usage' | 'isEstimated'> {
  const { input, output } = given
  return {
    usage: {
      inputTokens: input ?? estimateInput(request),
      outputTokens: output ?? estimateTokensOf(outputLength),
    },
    isEstimated: input === undefined || output === undefined,
  }
}

/** An estimate of the tokens that a model reads for a request. */
export function estimateInput(request: GenerateRequest): number {
  let length = request.instructions?.length ?? 0
  for (const message of request.messages) {
    length += message.content.length
    if (message.role !== 'assistant') continue
    for (const call of message.calls ?? []) length += call.name.length + call.input.length
  }
  const tools = request.tools ? estimateTokens(JSON.stringify(request.tools)) : 0
  return estimateTokensOf(length) + tools
}
