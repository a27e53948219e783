import { estimateTokens, estimateTokensOf } from '../../lib/tokens.ts'
import { SseParser } from './sse-parser.ts'
import { ProviderRequest, type HttpPost, type Upstream } from './provider-request.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateEnd, GeneratePiece, GenerateRequest, TextPiece, ToolCall } from '../model.ts'

/** Longest answer without a stream, in UTF-16 units. */
const MAX_BODY_LENGTH = 16_000_000

/** Reads one answer of one provider's protocol. */
export interface CompletionParser {
  /** True once the protocol's own end was there; without it the answer was cut. */
  readonly isComplete: boolean
  /** Takes the data of one event; gives the text in it. Throws `ModelFailure`. */
  parseEvent(data: string): string
  /** Takes the answer of a provider that did not stream; gives its text. Throws `ModelFailure`. */
  parseBody(json: string): string
  /** The tools that were asked for. */
  calls(): ToolCall[]
  /** How it ended; `text` is how long the text was. */
  end(outputLength: number): GenerateEnd
}

/** Sends a request and passes the answer on as it comes; see `Model.generate`. */
export async function* streamCompletion(
  upstream: Upstream,
  prepare: () => { post: HttpPost; parser: CompletionParser },
  { coalesce = false, signal }: { coalesce: boolean | undefined; signal: AbortSignal },
): AsyncGenerator<GeneratePiece> {
  const { post, parser } = prepare()
  const request = await ProviderRequest.open(upstream, post, signal)
  let length = 0
  try {
    if (request.isJson) {
      const answer = await request.readAll(MAX_BODY_LENGTH)
      if (request.isClosed) return
      const delta = parser.parseBody(answer)
      length = delta.length
      if (delta !== '') yield { delta }
    } else {
      const sse = new SseParser()
      while (!parser.isComplete) {
        const text = await request.read()
        const { parts, failure } = parseEvents(parser, sse, text)
        for (const piece of coalesce ? coalesced(parts) : parts.map((delta) => ({ delta }))) {
          if (request.isClosed) return
          length += piece.delta.length
          yield piece
        }
        if (request.isClosed) return
        if (failure) throw failure
        if (text === undefined && !parser.isComplete) {
          throw transientFailure('The answer of the model broke off.')
        }
      }
    }
    request.finish()
    for (const call of parser.calls()) yield { call }
    yield { end: parser.end(length) }
  } finally {
    request.close()
  }
}

function coalesced(parts: readonly string[]): TextPiece[] {
  const delta = parts.join('')
  if (parts.length < 2) return delta === '' ? [] : [{ delta }]
  return [{ delta, parts }]
}

/** The texts of the events that are whole now, as far as the first that is wrong. */
function parseEvents(
  parser: CompletionParser,
  sse: SseParser,
  text: string | undefined,
): { parts: string[]; failure?: unknown } {
  const parts: string[] = []
  try {
    for (const data of splitEvents(sse, text)) {
      const part = parser.parseEvent(data)
      if (part !== '') parts.push(part)
      if (parser.isComplete) break
    }
    return { parts }
  } catch (failure) {
    return { parts, failure }
  }
}

function splitEvents(sse: SseParser, text: string | undefined): string[] {
  try {
    return text === undefined ? sse.end() : sse.push(text)
  } catch (error) {
    throw transientFailure('The model provider sent something unreadable.', error)
  }
}

/** What went wrong at the provider may go well another time. */
export function transientFailure(message: string, cause?: unknown): ModelFailure {
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
