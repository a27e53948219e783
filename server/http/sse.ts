import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from './errors.ts'

/** A silent stream says so this often, so that proxies keep it open. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'
/** A reader who does not take the last event in time is cut off. */
const LAST_EVENT_MS = 500

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
export function beginLive(reply: FastifyReply): ServerResponse {
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

/**
 * Answers with an event stream. The head goes out with the first event, so that a failure before
 * it rejects and has an HTTP status, or after 15 s of silence; every 15 s of silence a comment
 * follows. A later failure is the last event, made by `failure`. When the reader leaves, at
 * whatever moment, `events` is told by its `return`; so it is when the app's `watchStream` ends the
 * stream, whose last event is then `{error: {code, detail}, done: true}`.
 */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<object>,
  failure: (error: unknown) => Promise<object>,
): Promise<FastifyReply> {
  const source = events[Symbol.asyncIterator]()
  const patience = new Patience(reply)
  const first = source.next()
  const lines = begin(linesOf(source, { first, isSilent: await isLate(), patience, failure }))
  if (reply.raw.destroyed) {
    await lines.return()
    return reply.hijack()
  }
  return reply
    .type('text/event-stream')
    .headers({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    .send(
      Readable.from(
        { [Symbol.asyncIterator]: () => lines },
        { objectMode: false, highWaterMark: 65_536 },
      ),
    )

  async function isLate(): Promise<boolean> {
    try {
      const isSilent = (await patience.firstOf(first)) === undefined
      if (!patience.ended) return isSilent
    } catch (error) {
      patience.stop()
      throw error
    }
    leave(source)
    throw patience.ended
  }
}

async function* linesOf(
  source: AsyncIterator<object>,
  begun: {
    first: Promise<IteratorResult<object>>
    isSilent: boolean
    patience: Patience
    failure: (error: unknown) => Promise<object>
  },
): AsyncGenerator<string> {
  const { patience } = begun
  try {
    let next = begun.first
    if (begun.isSilent) yield HEARTBEAT
    for (;;) {
      const first = await patience.firstOf(next)
      if (patience.ended) {
        const { code, message: detail } = patience.ended
        yield eventLine({ error: { code, detail }, done: true })
        return
      }
      if (first === undefined) {
        yield HEARTBEAT
        continue
      }
      if (first.done) return
      yield eventLine(first.value)
      next = source.next()
    }
  } catch (error) {
    yield eventLine(await begun.failure(error))
  } finally {
    patience.stop()
    if (patience.ended) leave(source)
    else await source.return?.()
  }
}

/** Tells the source that nobody listens any more, and does not wait for it to come to an end. */
function leave(source: AsyncIterator<object>): void {
  source.return?.().catch(() => undefined)
}

/**
 * Runs a generator up to its first value. One that never ran would end at `return` without its
 * `finally`, and what it holds would stay held.
 */
function begin<Value>(generator: AsyncGenerator<Value>) {
  let first: Promise<IteratorResult<Value>> | undefined = generator.next()
  return {
    next(): Promise<IteratorResult<Value>> {
      const next = first ?? generator.next()
      first = undefined
      return next
    },
    return: () => generator.return(undefined),
  }
}

/** Waits for what comes next, and knows when the stream must end instead. */
class Patience {
  /** Why the reader may not read on. */
  ended: AppError | undefined
  readonly #unwatch: () => void
  #wake: () => void = () => undefined

  constructor(reply: FastifyReply) {
    this.#unwatch = reply.server.watchStream(reply.request, (why) => {
      this.ended = why
      this.#wake()
      const late = setTimeout(() => reply.raw.destroy(), LAST_EVENT_MS)
      reply.raw.once('close', () => clearTimeout(late))
    })
  }

  /** What comes, or `undefined` after the longest silence or when the stream is ended. */
  firstOf<Value>(coming: Promise<Value>): Promise<Value | undefined> {
    if (this.ended) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), HEARTBEAT_MS)
    this.#wake = () => resolve(undefined)
    return Promise.race([coming, promise]).finally(() => clearTimeout(timer))
  }

  stop(): void {
    this.#unwatch()
  }
}
