import { SohbetError } from './error.ts'
import { readEvents } from './event-source.ts'
import { type Call, type Transport, failureOf } from './transport.ts'

interface Delta {
  delta: string
}
interface Failed {
  done: true
  error: { code: string; detail: string }
}

/**
 * Streams an answer: its pieces, then its end. A stream that breaks off is asked for again under the same
 * id, and goes on after the last piece: the service finishes an answer whose reader is gone, and keeps it.
 * Throws a `SohbetError` for a failed answer.
 */
export async function* streamAnswer<End extends { done: true }>(
  transport: Transport,
  path: string,
  call: Call & { body: object },
): AsyncGenerator<Delta | End> {
  const tries = transport.attempts({ ...call, isRepeatable: true })
  const { requestId } = tries
  const asked: Call = {
    ...call,
    requestId,
    body: { ...call.body, stream: true },
    isRepeatable: true,
  }
  let shown = ''
  for (;;) {
    try {
      const response = await transport.open(path, asked)
      let text = ''
      for await (const { data } of readEvents(bodyOf(response))) {
        const event: Delta | End | Failed = JSON.parse(data)
        if ('delta' in event) {
          const seen = Math.max(0, shown.length - text.length)
          text += event.delta
          if (!text.startsWith(shown) && !shown.startsWith(text)) throw changed(requestId)
          if (seen < event.delta.length) {
            const delta = event.delta.slice(seen)
            shown += delta
            yield { delta }
          }
        } else if ('error' in event) {
          throw new SohbetError(event.error.code, event.error.detail, { requestId })
        } else {
          yield event
          return
        }
      }
      throw new SohbetError('stream_interrupted', 'The stream broke off.', { requestId })
    } catch (error) {
      const failure = failureOf(error, { signal: call.signal, requestId })
      // `open` has made all its attempts already.
      if (failure.status > 0) throw failure
      await tries.next(failure)
    }
  }
}

/** Returns the body of a stream. Throws for an answer without one. */
export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body) return response.body
  throw new SohbetError('unexpected_answer', 'The answer has no body.', { status: response.status })
}

/** The answer was lost with its process, and another one was written. */
function changed(requestId: string): SohbetError {
  return new SohbetError(
    'stream_changed',
    'The answer changed while the connection was down. Send the question again.',
    {
      status: 409,
      requestId,
    },
  )
}
