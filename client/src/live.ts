import { bodyOf } from './answer-stream.ts'
import { readEvents } from './event-source.ts'
import type { LiveMessage, LiveRead, LiveState, LiveTyping } from './schemas.ts'
import { type CallOptions, type Transport, failureOf } from './transport.ts'

/** An event of a conversation; `id` resumes the stream after the event. */
export type LiveEvent =
  | { event: 'state'; id: string | undefined; data: LiveState }
  | { event: 'message'; id: string | undefined; data: LiveMessage }
  | { event: 'read'; id: string | undefined; data: LiveRead }
  | { event: 'typing'; id: string | undefined; data: LiveTyping }
  /** Missed events are too old to be sent: read the history again. */
  | { event: 'reset'; id: string | undefined; data: Record<string, never> }

const NAMES = /^(?:state|message|read|typing|reset)$/

/**
 * Follows a conversation until the signal aborts. A stream that ends or breaks is opened again after the
 * last event: none is lost, and none is repeated.
 */
export async function* followSession(
  transport: Transport,
  sessionId: string,
  { lastEventId, signal }: CallOptions & { lastEventId?: string | undefined },
): AsyncGenerator<LiveEvent> {
  const path = `/api/v1/chatbot/sessions/${encodeURIComponent(sessionId)}/live`
  let last = lastEventId
  let tries = transport.attempts({ signal, isRepeatable: true })
  for (;;) {
    try {
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const response = await transport.open(path, { signal, headers, isRepeatable: true })
      for await (const { name, data, id } of readEvents(bodyOf(response))) {
        tries = transport.attempts({ signal, isRepeatable: true })
        last = id ?? last
        if (!NAMES.test(name)) continue
        const event: LiveEvent = JSON.parse(`{"event":"${name}","data":${data}}`)
        yield { ...event, id }
      }
      // The service asks to connect again: it restarts, or the token has ended.
      await tries.next(failureOf(undefined, { signal }))
    } catch (error) {
      if (signal?.aborted) return
      const failure = failureOf(error, { signal })
      if (failure.status > 0) throw failure
      await tries.next(failure)
    }
  }
}
