import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from './errors.ts'

/** The interval of comment lines on a silent stream, which keep proxies from closing the stream. */
const HEARTBEAT_INTERVAL_MS = 15_000
const HEARTBEAT = ': still here\n\n'
/** A client that does not read the last event in time is disconnected. */
const LAST_EVENT_TIMEOUT_MS = 500
/** The buffer of a slow client in UTF-16 units, above which the source waits. */
const MAX_BUFFER_LENGTH = 65_536

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Registers an event stream; calls `end` when its caller loses the right to read. The returned
     * function unregisters the stream.
     */
    watchStream(request: FastifyRequest, end: (reason: AppError) => void): () => void
  }
}

/** Encodes an event: `data: <JSON>`. */
export function eventLine(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/**
 * Encodes a named event of a live stream; with an `id` for `Last-Event-ID`, when the event is
 * stored.
 */
export function liveEvent(name: string, data: object, id?: number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return `event: ${name}\n${idLine}data: ${JSON.stringify(data)}\n\n`
}

/** Encodes the reconnection delay. */
export function retryLine(ms: number): string {
  return `retry: ${ms}\n\n`
}

/** Hijacks the reply and writes the head of a live stream. */
export function startEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  const headers: OutgoingHttpHeaders = {
    ...Object.fromEntries(Object.entries(reply.getHeaders())),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  }
  // One `writeHead` and a flush let Node keep one short string per stream instead of separate headers,
  // which are most of the memory of thousands of streams.
  raw.writeHead(200, headers).flushHeaders()
  return raw
}

/** Encodes pieces and a failure as events. */
interface SseEncoder<Piece> {
  events: (piece: Piece) => readonly object[]
  failure: (error: unknown) => Promise<object>
}

/**
 * Answers with an event stream. The head goes out with the first event, so that a failure before
 * the event rejects and has an HTTP status, or after 15 s of silence; every 15 s of silence a comment
 * follows. A later failure is the last event, built by `failure`. A disconnect calls `return` of
 * `pieces` at any time; so does the app's `watchStream`, which ends the stream with the event
 * `{error: {code, detail}, done: true}`.
 */
export async function sendEvents<Piece>(
  reply: FastifyReply,
  pieces: AsyncIterable<Piece>,
  shown: SseEncoder<Piece>,
): Promise<FastifyReply> {
  await new EventStream(reply, pieces[Symbol.asyncIterator](), shown).begin()
  return reply
}

class EventStream<Piece> {
  readonly #reply: FastifyReply
  readonly #raw: ServerResponse
  readonly #source: AsyncIterator<Piece>
  readonly #shown: SseEncoder<Piece>
  readonly #silence: NodeJS.Timeout
  readonly #unwatch: () => void
  /** Ends the wait for the first event. */
  readonly #interruption = Promise.withResolvers<boolean>()
  /** Events that are written together at the end of this turn of the event loop. */
  #lines = ''
  #isFlushing = false
  /** Resolves when the client has read the buffer. */
  #drain: PromiseWithResolvers<void> | undefined
  #isBegun = false
  #isOver = false
  /** The reason for which the caller lost the right to read. */
  #ended: AppError | undefined

  constructor(reply: FastifyReply, source: AsyncIterator<Piece>, shown: SseEncoder<Piece>) {
    this.#reply = reply
    this.#raw = reply.raw
    this.#source = source
    this.#shown = shown
    this.#silence = setTimeout(() => this.#heartbeat(), HEARTBEAT_INTERVAL_MS)
    this.#unwatch = reply.server.watchStream(reply.request, (reason) => this.#cutOff(reason))
  }

  /** Resolves once the head is written; the events follow. */
  async begin(): Promise<void> {
    const first = this.#source.next()
    let isSilent: boolean
    try {
      isSilent = await Promise.race([first.then(() => false), this.#interruption.promise])
      if (this.#ended) throw this.#ended
    } catch (error) {
      this.#stop()
      if (error === this.#ended) this.#detach(first)
      throw error
    }
    if (this.#raw.destroyed) {
      this.#reply.hijack()
      this.#stop()
      this.#detach(first)
      return
    }
    this.#raw.writeHead(200, {
      ...Object.fromEntries(Object.entries(this.#reply.hijack().getHeaders())),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    this.#isBegun = true
    this.#raw.once('close', () => {
      this.#drain?.resolve()
      if (this.#isOver) return
      this.#stop()
      this.#detach()
    })
    if (isSilent) this.#write(HEARTBEAT)
    void this.#pass(first)
  }

  async #pass(first: Promise<IteratorResult<Piece>>): Promise<void> {
    try {
      for (let next = await first; !this.#isOver; next = await this.#source.next()) {
        if (next.done) return this.#end('')
        for (const event of this.#shown.events(next.value)) this.#write(eventLine(event))
        if (this.#lines.length > MAX_BUFFER_LENGTH || this.#raw.writableNeedDrain)
          await this.#drained()
      }
    } catch (error) {
      if (this.#isOver) return
      const last = await this.#shown.failure(error).catch(() => undefined)
      if (!this.#isOver) this.#end(last ? eventLine(last) : '')
    }
  }

  #write(lines: string): void {
    this.#silence.refresh()
    this.#lines += lines
    if (this.#isFlushing) return
    this.#isFlushing = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushing = false
    if (this.#raw.writableEnded || this.#lines === '') return
    const lines = this.#lines
    this.#lines = ''
    if (this.#raw.write(lines)) this.#drain?.resolve()
    else this.#raw.once('drain', () => this.#drain?.resolve())
  }

  #drained(): Promise<void> {
    this.#drain = Promise.withResolvers()
    if (this.#raw.destroyed) this.#drain.resolve()
    return this.#drain.promise
  }

  #heartbeat(): void {
    this.#silence.refresh()
    this.#interruption.resolve(true)
    // A slow client with a full buffer needs no heartbeat.
    if (this.#isBegun && !this.#raw.writableNeedDrain) this.#write(HEARTBEAT)
  }

  #cutOff(reason: AppError): void {
    this.#ended = reason
    this.#interruption.resolve(false)
    if (!this.#isBegun || this.#isOver) return
    const { code, message: detail } = reason
    this.#end(eventLine({ error: { code, detail }, done: true }))
    this.#detach()
    const late = setTimeout(() => this.#raw.destroy(), LAST_EVENT_TIMEOUT_MS)
    this.#raw.once('close', () => clearTimeout(late))
  }

  #end(last: string): void {
    this.#stop()
    this.#raw.end(this.#lines + last)
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#silence)
    this.#unwatch()
  }

  /** Closes the source without waiting for its end. */
  #detach(...pending: Promise<unknown>[]): void {
    for (const each of pending) each.catch(() => undefined)
    this.#source.return?.().catch(() => undefined)
  }
}
