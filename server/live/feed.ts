/** Something that happened in a conversation, with its places in the two kinds of streams. */
export interface LiveEvent {
  /** Its place in the workspace: 1, 2, 3 … without gaps. */
  position: number
  /** Absent once the conversation is erased. */
  sessionId: string | null
  /** Its place in the conversation, without gaps too. */
  sequence: number
  /** What a kind of stream sends of it; `undefined` when it is not for its readers. */
  show(reader: 'session' | 'workspace'): { name: string; data: object } | undefined
}

/** Where kept events are read, in the order of their places. */
export interface LiveSource {
  ofWorkspace(workspaceId: string, after: number, limit: number): Promise<LiveEvent[]>
  ofSession(
    place: { workspaceId: string; sessionId: string },
    after: number,
    limit: number,
  ): Promise<LiveEvent[]>
  /** The place of the last event of each of these workspaces that has one. */
  positionsOf(workspaceIds: readonly string[]): Promise<Map<string, number>>
}
