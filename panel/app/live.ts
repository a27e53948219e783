import { signal, type ReadonlySignal } from '@preact/signals'

/** The events of `GET /api/v1/live` that pages follow. */
export const LIVE_EVENTS = [
  'ready',
  'session',
  'message',
  'state',
  'typing',
  'read',
  'note',
  'lead',
  'feedback',
  'inbox',
  'presence',
  'erased',
] as const
export type LiveEventName = (typeof LIVE_EVENTS)[number]

export interface LiveEvent {
  name: LiveEventName
  /** As `server/live/schema.ts` describes it. */
  data: unknown
}

const STREAM = '/api/v1/live'
/** A stream that brought nothing by then is taken for blocked: pages poll until one opens. */
const BLOCKED_AFTER_MS = 12_000
const MAX_RECONNECT_MS = 30_000

export interface Live {
  /** Whether pages have to poll, because the stream cannot be opened. */
  readonly isBlocked: ReadonlySignal<boolean>
  /** Calls `hear` for each event until the returned function is called. */
  follow(hear: (event: LiveEvent) => void): () => void
  start(): void
  stop(): void
}

/**
 * Opens one stream for all pages; it goes on after its last event when the connection is lost.
 * `onRefused` is called when the server refuses it, as it does after the login has ended elsewhere.
 */
export function createLive(onRefused: () => void): Live {
  const readers = new Set<(event: LiveEvent) => void>()
  const isBlocked = signal(false)
  let source: EventSource | undefined
  let lastId = ''
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    const query = lastId === '' ? '' : `?last_event_id=${encodeURIComponent(lastId)}`
    const opened = new EventSource(STREAM + query)
    source = opened
    const blocked = setTimeout(() => (isBlocked.value = true), BLOCKED_AFTER_MS)
    opened.addEventListener('open', () => {
      clearTimeout(blocked)
      attempts = 0
      isBlocked.value = false
    })
    for (const name of LIVE_EVENTS) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        if (event.lastEventId !== '') lastId = event.lastEventId
        const data: unknown = JSON.parse(event.data === '' ? 'null' : event.data)
        for (const hear of readers) hear({ name, data })
      })
    }
    opened.addEventListener('error', () => {
      // The browser reconnects by itself unless the server refused; then the session was renewed late.
      if (opened.readyState !== EventSource.CLOSED) return
      clearTimeout(blocked)
      isBlocked.value = true
      attempts += 1
      onRefused()
      timer = setTimeout(connect, Math.min(MAX_RECONNECT_MS, 1_000 * 2 ** attempts))
    })
  }

  return {
    isBlocked,
    follow(hear) {
      readers.add(hear)
      return () => readers.delete(hear)
    },
    start() {
      if (!source) connect()
    },
    stop() {
      clearTimeout(timer)
      source?.close()
      source = undefined
      lastId = ''
    },
  }
}
