import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from './errors.ts'

/** A silent stream says so this often, so that proxies keep it open. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'
/** A reader who does not take the last event in time is cut off. */
const LAST_EVENT_MS = 500
/** So much, in UTF-16 units, may wait for the reader before the source has to. */
const MAX_WAITING = 65_536

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Told of every event stream; calls `end` when its reader may not read on. The returned
     * function is called when the stream is over.
     */
    watchStream(request: FastifyRequest, end: (why: AppError) => void): () => void
  }
}

/** One event as its line: `data: <JSON>`. */
export function eventLine(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/** A named event of a live stream; with a place a reader can come back to, when it is kept. */
export function liveEvent(name: string, data: object, id?: number): string {
  const place = id === undefined ? '' : `id: ${id}\n`
  return `event: ${name}\n${place}data: ${JSON.stringify(data)}\n\n`
}

/** How long a reader waits before connecting again. */
export function retryLine(ms: number): string {
  return `retry: ${ms}\n\n`
}

/** Takes the answer out of the framework's hands and writes the head of a stream without an end. */
export function startEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  const headers: OutgoingHttpHeaders = {
    ...Object.fromEntries(Object.entries(reply.getHeaders())),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  }
  // Headers that are given at once and sent alone are kept as one short text for as long as the
  // stream is open, and not in pieces: with thousands of streams that is most of what they cost.
  raw.writeHead(200, headers).flushHeaders()
  return raw
}

/** How what happens is shown to the reader. */
interface SseEncoder<Piece> {
  events: (piece: Piece) => readonly object[]
  failure: (error: unknown) => Promise<object>
}

/**
 * Answers with an event stream. The head goes out with the first event, so that a failure before
 * it rejects and has an HTTP status, or after 15 s of silence; every 15 s of silence a comment
 * follows. A later failure is the last event, made by `failure`. When the reader leaves, at
 * whatever moment, `pieces` is told by its `return`; so it is when the app's `watchStream` ends the
 * stream, whose last event is then `{error: {code, detail}, done: true}`.
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
  /** What is written when this turn of the event loop ends: what comes together leaves together. */
  #lines = ''
  #isFlushing = false
  /** Resolved when the reader has taken what waits for it. */
  #room: PromiseWithResolvers<void> | undefined
  #isBegun = false
  #isOver = false
  /** Why the reader may not read on. */
  #ended: AppError | undefined

  constructor(reply: FastifyReply, source: AsyncIterator<Piece>, shown: SseEncoder<Piece>) {
    this.#reply = reply
    this.#raw = reply.raw
    this.#source = source
    this.#shown = shown
    this.#silence = setTimeout(() => this.#heartbeat(), HEARTBEAT_MS)
    this.#unwatch = reply.server.watchStream(reply.request, (why) => this.#cutOff(why))
  }

  /** Resolves once the head is on its way; the rest follows by itself. */
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
      this.#room?.resolve()
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
        if (this.#lines.length > MAX_WAITING || this.#raw.writableNeedDrain) await this.#drained()
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
    if (this.#raw.write(lines)) this.#room?.resolve()
    else this.#raw.once('drain', () => this.#room?.resolve())
  }

  #drained(): Promise<void> {
    this.#room = Promise.withResolvers()
    if (this.#raw.destroyed) this.#room.resolve()
    return this.#room.promise
  }

  #heartbeat(): void {
    this.#silence.refresh()
    this.#interruption.resolve(true)
    // Whoever does not take what there is needs no sign that more will come.
    if (this.#isBegun && !this.#raw.writableNeedDrain) this.#write(HEARTBEAT)
  }

  #cutOff(why: AppError): void {
    this.#ended = why
    this.#interruption.resolve(false)
    if (!this.#isBegun || this.#isOver) return
    const { code, message: detail } = why
    this.#end(eventLine({ error: { code, detail }, done: true }))
    this.#detach()
    const late = setTimeout(() => this.#raw.destroy(), LAST_EVENT_MS)
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

  /** Tells the source that nobody listens any more, and does not wait for it to come to an end. */
  #detach(...coming: Promise<unknown>[]): void {
    for (const each of coming) each.catch(() => undefined)
    this.#source.return?.().catch(() => undefined)
  }
}
