import { signal, type ReadonlySignal } from '@preact/signals'
import type {
  WorkspaceInbox,
  WorkspaceMessage,
  WorkspaceNote,
  WorkspaceRead,
  WorkspaceRemoved,
  WorkspaceSession,
  WorkspaceState,
  WorkspaceTyping,
} from '../../../server/live/schema.ts'

/** The data of each event of `GET /api/v1/live`. */
interface LiveData {
  /** The stream starts now: what happened before it is unknown. */
  ready: unknown
  /** Missed events are too old to be repeated: read the lists again. */
  reset: unknown
  session: WorkspaceSession
  message: WorkspaceMessage
  state: WorkspaceState
  typing: WorkspaceTyping
  read: WorkspaceRead
  note: WorkspaceNote
  inbox: WorkspaceInbox
  removed: WorkspaceRemoved
  lead: unknown
  feedback: unknown
  presence: unknown
}

const LIVE_EVENTS = [
  'ready',
  'reset',
  'session',
  'message',
  'state',
  'typing',
  'read',
  'note',
  'inbox',
  'removed',
  'lead',
  'feedback',
  'presence',
] as const satisfies readonly (keyof LiveData)[]

export type LiveEvent = {
  [Name in keyof LiveData]: { name: Name; data: LiveData[Name] }
}[keyof LiveData]

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
    let blocked: ReturnType<typeof setTimeout> | undefined
    const expect = (): void => {
      blocked ??= setTimeout(() => (isBlocked.value = true), BLOCKED_AFTER_MS)
    }
    const hasArrived = (): void => {
      clearTimeout(blocked)
      blocked = undefined
      attempts = 0
      isBlocked.value = false
    }
    // A proxy that buffers lets the stream open and holds its first event back.
    expect()
    // A resumed stream begins with a heartbeat, which no event announces.
    if (lastId !== '') opened.addEventListener('open', hasArrived)
    for (const name of LIVE_EVENTS) {
      opened.addEventListener(name, (message: MessageEvent<string>) => {
        hasArrived()
        if (message.lastEventId !== '') lastId = message.lastEventId
        const event: LiveEvent = { name, data: JSON.parse(message.data || 'null') }
        for (const hear of readers) hear(event)
      })
    }
    opened.addEventListener('error', () => {
      // The browser reconnects unless the server refused; then the session was renewed late.
      if (opened.readyState !== EventSource.CLOSED) {
        expect()
        return
      }
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
