import { estimateTokens, estimateTokensOf } from '../../lib/token-estimate.ts'
import { SseParser } from './sse-parser.ts'
import { ProviderRequest, type HttpPost, type Upstream } from './provider-request.ts'
import { ModelFailure } from '../model.ts'
import type { GenerateEnd, GeneratePiece, GenerateRequest, TextPiece, ToolCall } from '../model.ts'

/** Upper bound of an answer without a stream, in UTF-16 units. */
const MAX_BODY_LENGTH = 16_000_000

/** Parses one answer of one provider's protocol. */
export interface CompletionParser {
  /** True once the protocol's own end has arrived; without it the answer broke off. */
  readonly isComplete: boolean
  /** Parses the data of one event and returns its text. Throws `ModelFailure`. */
  parseEvent(data: string): string
  /** Parses an answer without a stream and returns its text. Throws `ModelFailure`. */
  parseBody(json: string): string
  /** The tool calls of the answer. */
  calls(): ToolCall[]
  /** The end of the answer; `outputLength` is the text's length, for estimates of usage. */
  end(outputLength: number): GenerateEnd
}

/** Sends a request and streams the answer; see `Model.generate`. */
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

/** The texts of the complete events, up to the first that fails. */
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

/** A failure of the provider that a retry may not meet again. */
export function transientFailure(message: string, cause?: unknown): ModelFailure {
  return new ModelFailure('failed', message, { isTransient: true, cause })
}

/** The provider's token counts, with estimates in place of missing ones. */
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

/** Estimates the input tokens of a request. */
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
