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
 * Answers with an event stream. Every refusal must have been made before: the head goes out with
 * the first event, or after 15 s of silence, and every 15 s of silence a comment follows.
 */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<object>): FastifyReply {
  return reply
    .type('text/event-stream')
    .headers({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' })
    .send(Readable.from(withHeartbeat(events), { objectMode: false, highWaterMark: 65_536 }))
}

async function* withHeartbeat(events: AsyncIterable<object>): AsyncGenerator<string> {
  const source = events[Symbol.asyncIterator]()
  try {
    let next = source.next()
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
  } finally {
    await source.return?.()
  }
}

/** What comes, or `undefined` after the longest silence. */
function firstOf<Value>(coming: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), HEARTBEAT_MS)
  return Promise.race([coming, promise]).finally(() => clearTimeout(timer))
}
