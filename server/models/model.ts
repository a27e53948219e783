import type { Usage } from './provider.ts'

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

/** One turn of what the model reads. */
export type ModelMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ToolCall[] }
  | { role: 'tool'; callId: string; content: string }

/** What the embedded model can do by itself; others never look at it. */
export interface Task {
  name: 'summary' | 'keywords' | 'hashtags' | 'faq' | 'template'
  inputs: Readonly<Record<string, unknown>>
  /** The finished text of a `template`. */
  text?: string | undefined
}

export interface GenerateRequest {
  /** A name that the provider knows; its default when absent. */
  model?: string | undefined
  instructions?: string | undefined
  messages: readonly ModelMessage[]
  tools?: readonly Tool[]
  /** The output never costs more tokens than this. */
  maxOutputTokens: number
  /** The language to answer in, such as `tr`. */
  locale: string
  /** The answer is wanted in one piece: the provider need not stream it. */
  isWhole?: boolean
  /** Pieces that come at once may be joined into one. */
  mayJoin?: boolean
  task?: Task | undefined
}

export interface GenerateEnd {
  usage: Usage
  /** True when the provider gave no token counts and they were counted here. */
  isEstimated: boolean
  model: string
  finishReason: 'stop' | 'length' | 'tool_calls'
}

/** Text as it comes; where it is joined, `parts` are the pieces that came. */
export interface TextPiece {
  delta: string
  parts?: readonly string[]
}

/** Text as it comes, a tool call once it is whole, and exactly one end. */
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

/** What runs prompts: the embedded model, or one behind an API. */
export interface Model {
  readonly name: string
  /** The models that it asks for when a request names none. */
  readonly defaults?: { text?: string | undefined; image?: string | undefined }
  /**
   * The answer piece by piece. Throws `ModelFailure`; a provider's stream that ends without its
   * end was cut, and is a failure too. Once the signal stops it, it ends within a second, without
   * an `end`.
   */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GeneratePiece>
  /** Images. Throws `ModelFailure`. */
  draw(request: ImageRequest, signal: AbortSignal): Promise<ImageAnswer>
}

/** The model did not answer. The message is for the customer: it names no key and no address. */
export class ModelFailure extends Error {
  readonly kind: 'failed' | 'timeout' | 'unable'
  /** Whether the same call may succeed at another time or elsewhere. */
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
