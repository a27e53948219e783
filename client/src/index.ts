import { streamAnswer } from './answer-stream.ts'
import { type LiveEvent, followSession } from './live.ts'
import type {
  HistoryMessage,
  ManagedLead,
  Prompt,
  RunAnswer,
  SendMessage,
  Turn,
} from './schemas.ts'
import { type Call, type CallOptions, type SohbetOptions, Transport } from './transport.ts'

export { type Problem, SohbetError } from './error.ts'
export { type Webhook, type WebhookEvent, verifyWebhook } from './webhook.ts'
export type {
  Citation,
  HistoryMessage,
  LiveMessage,
  LiveRead,
  LiveState,
  LiveTyping,
  ManagedLead,
  Prompt,
  Reply,
  RunAnswer,
  SendMessage,
  Turn,
} from './schemas.ts'
export type { LiveEvent } from './live.ts'
export type { Call, CallOptions, SohbetOptions } from './transport.ts'

/** A message, and the site that it is for. */
export type Message = Omit<SendMessage, 'stream'>
/** A prompt, and its inputs by name. */
export interface Run {
  prompt_id: string
  inputs: Record<string, unknown>
  /** The workspace's by default. */
  locale?: string
}

/** The last event of a streamed message. */
export type TurnEnd = { done: true } & Turn
/** The last event of a streamed run. */
export type RunEnd = { done: true } & Pick<
  RunAnswer,
  'run_id' | 'credits_used' | 'credits_remaining' | 'finish_reason' | 'images'
>
/** A piece of the text. */
export interface Delta {
  delta: string
}

/** Which leads are listed; all by default. */
export interface LeadFilter {
  tenant_id?: string
  source?: 'widget_form' | 'conversation' | 'whatsapp' | 'telegram' | 'meta' | 'api'
  status?: ManagedLead['status']
  /** ISO 8601. */
  from?: string
  to?: string
  /** A part of the name, phone number, e-mail address or interest. */
  q?: string
}

interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

const MAX_PER_PAGE = 100
const MESSAGE = '/api/v1/chatbot/message'
const EXECUTE = '/api/v1/prompts/execute'

/** The API of an installation. Every failure is a `SohbetError`. */
export class Sohbet {
  readonly #transport: Transport

  constructor(options: SohbetOptions) {
    this.#transport = new Transport(options)
  }

  readonly chat = {
    /** Sends a message and returns the whole answer. */
    send: (message: Message, options: CallOptions = {}): Promise<Turn> =>
      this.#transport.json<Turn>(MESSAGE, { ...options, body: message, isRepeatable: true }),
    /** Sends a message and streams the answer: its pieces, then `{done: true, …}`. */
    stream: (message: Message, options: CallOptions = {}): AsyncGenerator<Delta | TurnEnd> =>
      streamAnswer<TurnEnd>(this.#transport, MESSAGE, { ...options, body: message }),
    /** The messages of a conversation, oldest first. */
    history: (sessionId: string, options: CallOptions = {}): AsyncGenerator<HistoryMessage> =>
      this.list(`/api/v1/chatbot/sessions/${encodeURIComponent(sessionId)}/messages`, {}, options),
    /** Follows a conversation as it happens, until the signal aborts. */
    live: (
      sessionId: string,
      options: { lastEventId?: string; signal?: AbortSignal } = {},
    ): AsyncGenerator<LiveEvent> => followSession(this.#transport, sessionId, options),
  }

  readonly prompts = {
    /** Runs a prompt and returns the whole answer. */
    execute: (run: Run, options: CallOptions = {}): Promise<RunAnswer> =>
      this.#transport.json<RunAnswer>(EXECUTE, { ...options, body: run, isRepeatable: true }),
    /** Runs a prompt and streams its text: the pieces, then `{done: true, …}`. */
    stream: (run: Run, options: CallOptions = {}): AsyncGenerator<Delta | RunEnd> =>
      streamAnswer<RunEnd>(this.#transport, EXECUTE, { ...options, body: run }),
    /** The library and your own prompts, by name. */
    list: (options: CallOptions = {}): AsyncGenerator<Prompt> =>
      this.list('/api/v1/prompts', {}, options),
  }

  readonly leads = {
    /** Leads, newest first. Pages are fetched as they are needed. */
    list: (filter: LeadFilter = {}, options: CallOptions = {}): AsyncGenerator<ManagedLead> =>
      this.list('/api/v1/leads', { ...filter }, options),
  }

  /** Any other list of the API, item by item. */
  async *list<Item>(
    path: string,
    query: NonNullable<Call['query']> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Item> {
    let cursor: string | null = null
    do {
      const page: Page<Item> = await this.#transport.json<Page<Item>>(path, {
        signal: options.signal,
        query: { limit: MAX_PER_PAGE, ...query, cursor: cursor ?? undefined },
        isRepeatable: true,
      })
      yield* page.data
      cursor = page.next_cursor
    } while (cursor !== null)
  }

  /**
   * Any other route of the API. What only reads is tried again; say `isRepeatable` for a route that
   * answers the same `X-Request-Id` from what was stored.
   */
  request<Answer>(path: string, call: Call = {}): Promise<Answer> {
    const { method = call.body === undefined ? 'GET' : 'POST' } = call
    return this.#transport.json<Answer>(path, { isRepeatable: method === 'GET', ...call })
  }
}
