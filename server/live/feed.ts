import { liveEvent } from '../http/sse.ts'
import type { Db } from '../storage/database.ts'

/** An event of a session, with its positions in both kinds of streams. */
export interface LiveEvent {
  /** Position in the workspace's stream: 1, 2, 3 … without gaps. */
  position: number
  /** Null once the session is erased. */
  sessionId: string | null
  /** Sequence in the session's stream, without gaps. */
  sequence: number
  /** The erased session, for an event of an erasure. */
  removes: string | undefined
  /**
   * Returns the event as a kind of stream sends it; `undefined` for an event that its readers may
   * not see.
   */
  show(reader: 'session' | 'workspace'): { name: string; data: object } | undefined
}

/** A new event; its position in the workspace is assigned at the end of the transaction. */
export interface NewLiveEvent {
  workspaceId: string
  sessionId: string | null
  /** Sequence in the session's stream. */
  sequence: number
  kind: 'session' | 'message' | 'state' | 'read' | 'note' | 'inbox' | 'removed'
  messageSequence: number | null
  noteId: string | null
  /** JSON. */
  data: string
  at: number
}

/** The store of events, in the order of their positions. */
export interface LiveSource {
  /** Inserts the events of a transaction at consecutive positions. Locks the workspace's feed. */
  append(db: Db, events: readonly NewLiveEvent[]): Promise<void>
  ofWorkspace(workspaceId: string, after: number, limit: number): Promise<LiveEvent[]>
  ofSession(
    place: { workspaceId: string; sessionId: string },
    after: number,
    limit: number,
  ): Promise<LiveEvent[]>
  /** Returns the last position of each of these workspaces that has an event. */
  positionsOf(workspaceIds: readonly string[]): Promise<Map<string, number>>
}

/** The subject of a stream. */
export interface StreamPosition {
  workspaceId: string
  /** Absent for the stream of the whole workspace. */
  sessionId: string | undefined
}

/** An event for connected clients, never stored. */
export interface EphemeralEvent {
  place: { workspaceId: string; sessionId: string }
  name: string
  forSession: object | undefined
  forWorkspace: object
}

/** Returns the event's position in a kind of stream. */
export function eventPosition(event: LiveEvent, { sessionId }: StreamPosition): number {
  return sessionId === undefined ? event.position : event.sequence
}

/** Returns the event as a kind of stream sends it, serialized once for all its readers. */
export function bytesOf(event: LiveEvent, place: StreamPosition): Buffer | undefined {
  const shown = event.show(place.sessionId === undefined ? 'workspace' : 'session')
  return shown && Buffer.from(liveEvent(shown.name, shown.data, eventPosition(event, place)))
}
