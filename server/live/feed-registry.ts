import type { StreamPosition } from './feed.ts'
import type { LiveStream } from './stream.ts'

/** The streams of one workspace on this process. */
export interface EventFeed {
  workspaceId: string
  /** Position of the last event that the fan-out has sent. */
  position: Promise<number>
  isFanningOut: boolean
  isBehind: boolean
  workspace: Set<LiveStream>
  sessions: Map<string, Set<LiveStream>>
}

/** The feeds of this process: one per workspace with an open stream. */
export class FeedRegistry {
  readonly #feeds = new Map<string, EventFeed>()
  readonly #readPosition: (workspaceId: string) => Promise<number>

  constructor(readPosition: (workspaceId: string) => Promise<number>) {
    this.#readPosition = readPosition
  }

  get isEmpty(): boolean {
    return this.#feeds.size === 0
  }

  get(workspaceId: string): EventFeed | undefined {
    return this.#feeds.get(workspaceId)
  }

  workspaceIds(): string[] {
    return [...this.#feeds.keys()]
  }

  *streams(): Iterable<LiveStream> {
    for (const { workspace, sessions } of this.#feeds.values()) {
      yield* workspace
      for (const readers of sessions.values()) yield* readers
    }
  }

  /** Adds a stream; returns the function that removes it, which is idempotent. */
  join({ workspaceId, sessionId }: StreamPosition, stream: LiveStream): () => void {
    const feed = this.#feeds.get(workspaceId) ?? this.#open(workspaceId)
    if (sessionId === undefined) feed.workspace.add(stream)
    else feed.sessions.set(sessionId, (feed.sessions.get(sessionId) ?? new Set()).add(stream))
    return () => {
      feed.workspace.delete(stream)
      if (sessionId !== undefined) {
        const readers = feed.sessions.get(sessionId)
        readers?.delete(stream)
        if (readers?.size === 0) feed.sessions.delete(sessionId)
      }
      if (feed.workspace.size + feed.sessions.size === 0) this.#feeds.delete(workspaceId)
    }
  }

  #open(workspaceId: string): EventFeed {
    const feed: EventFeed = {
      workspaceId,
      position: this.#readPosition(workspaceId),
      isFanningOut: false,
      isBehind: false,
      workspace: new Set(),
      sessions: new Map(),
    }
    // Awaiting streams receive the failure; the next poll reads the position again.
    feed.position.catch(() => undefined)
    this.#feeds.set(workspaceId, feed)
    return feed
  }
}
