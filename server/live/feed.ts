import { liveEvent } from '../http/sse.ts'
import type { Db } from '../storage/database.ts'

/** Something that happened in a conversation, with its places in the two kinds of streams. */
export interface LiveEvent {
  /** Its place in the workspace: 1, 2, 3 … without gaps. */
  position: number
  /** Absent once the conversation is erased. */
  sessionId: string | null
  /** Its place in the conversation, without gaps too. */
  sequence: number
  /** The conversation that was erased, if that is what happened. */
  removes: string | undefined
  /** What a kind of stream sends of it; `undefined` when it is not for its readers. */
  show(reader: 'session' | 'workspace'): { name: string; data: object } | undefined
}

/** An event that a transaction wants kept; its place in the workspace is found at the end. */
export interface NewLiveEvent {
  workspaceId: string
  sessionId: string | null
  /** Its place in the conversation. */
  sequence: number
  kind: 'session' | 'message' | 'state' | 'read' | 'note' | 'removed'
  messageSequence: number | null
  noteId: string | null
  /** JSON. */
  data: string
  at: number
}

/** Where kept events are read, in the order of their places. */
export interface LiveSource {
  /** Keeps what happened in a transaction, in which no other of the workspace can come between. */
  append(db: Db, events: readonly NewLiveEvent[]): Promise<void>
  ofWorkspace(workspaceId: string, after: number, limit: number): Promise<LiveEvent[]>
  ofSession(
    place: { workspaceId: string; sessionId: string },
    after: number,
    limit: number,
  ): Promise<LiveEvent[]>
  /** The place of the last event of each of these workspaces that has one. */
  positionsOf(workspaceIds: readonly string[]): Promise<Map<string, number>>
}

/** What a stream is about. */
export interface StreamPosition {
  workspaceId: string
  /** Absent for the stream of the whole workspace. */
  sessionId: string | undefined
}

/** Something that is passed on to whoever is connected, and not kept. */
export interface EphemeralEvent {
  place: { workspaceId: string; sessionId: string }
  name: string
  forSession: object | undefined
  forWorkspace: object
}

/** The event's place in a kind of stream. */
export function eventPosition(event: LiveEvent, { sessionId }: StreamPosition): number {
  return sessionId === undefined ? event.position : event.sequence
}

/** The event as a kind of stream sends it, made once for all its readers. */
export function bytesOf(event: LiveEvent, place: StreamPosition): Buffer | undefined {
  const shown = event.show(place.sessionId === undefined ? 'workspace' : 'session')
  return shown && Buffer.from(liveEvent(shown.name, shown.data, eventPosition(event, place)))
}
