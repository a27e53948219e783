/** Tokens that a call of a model read and wrote. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}

/** A call of a tool that the model asks for; `input` is JSON text, as the model wrote it. */
export interface ToolCall {
  id: string
  name: string
  input: string
}

/** A tool that the model may ask for; `schema` is JSON Schema. */
export interface Tool {
  name: string
  description: string
  schema: Record<string, unknown>
}

/** One message of the prompt. */
export type ModelMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string }

/** The work that the embedded model can do without a provider; other models ignore it. */
export interface Task {
  name: 'summary' | 'keywords' | 'hashtags' | 'faq' | 'template'
  inputs: Readonly<Record<string, unknown>>
  /** The finished text of a `template`. */
  text?: string | undefined
}

export interface GenerateRequest {
  /** A model name that the provider knows; the configured one when absent. */
  model?: string | undefined
  instructions?: string | undefined
  messages: readonly ModelMessage[]
  tools?: readonly Tool[]
  /** Upper bound of the output's tokens. */
  maxOutputTokens: number
  /** The language to answer in, such as `tr`. */
  locale: string
  /** False where the answer is wanted in one piece, so that the provider need not stream it. */
  stream?: boolean
  /** Whether deltas that arrive in one read may be joined into one piece. */
  coalesce?: boolean
  task?: Task | undefined
}

export interface GenerateEnd {
  usage: Usage
  /** True where the provider reported no token counts, so that `usage` is an estimate. */
  isEstimated: boolean
  model: string
  finishReason: 'stop' | 'length' | 'tool_calls'
}

/** A delta of the answer's text; where deltas were coalesced, `parts` has the originals. */
export interface TextPiece {
  delta: string
  parts?: readonly string[]
}

/** A delta of text, a complete tool call, or the one end of the answer. */
export type GeneratePiece = TextPiece | { call: ToolCall } | { end: GenerateEnd }

export interface ImageRequest {
  model?: string | undefined
  prompt: string
  /** How many images, from 1. */
  count: number
}

export interface ImageAnswer {
  images: readonly { mediaType: string; bytes: Uint8Array }[]
  model: string
  usage: Usage
}

/** The port: the embedded model, or a model behind a provider's API. */
export interface Model {
  readonly name: string
  /** The models that it asks for when a request names none. */
  readonly defaults?: { text?: string | undefined; image?: string | undefined }
  /** False for a provider without an API for images. */
  readonly drawsImages?: boolean
  /**
   * Streams the answer. Throws `ModelFailure`, also for a provider's stream that breaks off before
   * the protocol's own end. After an abort the iterator ends within a second, without an `end`.
   */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GeneratePiece>
  /** Generates images. Throws `ModelFailure`. */
  generateImages(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer>
}

/** A failed call of a model. The customer sees the message: it holds neither keys nor addresses. */
export class ModelFailure extends Error {
  readonly kind: 'failed' | 'timeout' | 'unable'
  /** Whether a retry, or another provider, may succeed. */
  readonly isTransient: boolean
  /** The HTTP status that the provider refused with. */
  readonly status: number | undefined

  constructor(
    kind: 'failed' | 'timeout' | 'unable',
    message: string,
    options: { isTransient?: boolean; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.isTransient = options.isTransient ?? false
    this.status = options.status
  }
}
