import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A silent stream says so this often, so that proxies keep it open. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ': still here\n\n'

/** One event as its line: `data: <JSON>`. */
export function eventLine(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

/**
 * Answers with an event stream. The head goes out with the first event, so that a failure before
 * it rejects and has an HTTP status, or after 15 s of silence; every 15 s of silence a comment
 * follows. A later failure is the last event, made by `failure`. When the reader leaves, at
 * whatever moment, `events` is told by its `return`.
 */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<object>,
  failure: (error: unknown) => Promise<object>,
): Promise<FastifyReply> {
  const source = events[Symbol.asyncIterator]()
  const first = source.next()
  const isSilent = (await firstOf(first)) === undefined
  const lines = begin(linesOf(source, { first, isSilent, failure }))
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
}

async function* linesOf(
  source: AsyncIterator<object>,
  begun: {
    first: Promise<IteratorResult<object>>
    isSilent: boolean
    failure: (error: unknown) => Promise<object>
  },
): AsyncGenerator<string> {
  try {
    let next = begun.first
    if (begun.isSilent) yield HEARTBEAT
    for (;;) {
      const first = await firstOf(next)
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
    await source.return?.()
  }
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

/** What comes, or `undefined` after the longest silence. */
function firstOf<Value>(coming: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), HEARTBEAT_MS)
  return Promise.race([coming, promise]).finally(() => clearTimeout(timer))
}
