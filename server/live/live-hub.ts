import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from '../context.ts'
import { liveEvent, retryLine } from '../http/sse.ts'
import type { Clock } from '../lib/clock.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import {
  type LiveEvent,
  type StreamPosition,
  type LiveSource,
  type NewLiveEvent,
  type EphemeralEvent,
  bytesOf,
  eventPosition,
} from './feed.ts'
import { LiveStream } from './stream.ts'

declare module '../context.ts' {
  interface Services {
    /** The live streams of this process. */
    readonly live: LiveHub
  }
}

const TEND_MS = 1_000
const MAX_PER_READ = 100
/** Readers who were cut off all at once come back one after the other. */
const RETRY_MS = { min: 1_000, max: 4_000 }

/** The streams of one workspace on this process. */
interface EventFeed {
  workspaceId: string
  /** Events up to here were passed on. */
  position: Promise<number>
  isPassing: boolean
  isBehind: boolean
  workspace: Set<LiveStream>
  sessions: Map<string, Set<LiveStream>>
}

/**
 * Who is connected to this process, and how events reach them. Events are kept by whoever causes
 * them; a wake-up only says that there are some. Each stream knows the place of its last event, so
 * that nothing is lost or repeated, however a wake-up and a read meet. A wake-up that is lost costs
 * a second: until the next look at the places of the last events.
 */
export class LiveHub {
  readonly #clock: Clock
  readonly #pubsub: PubSub
  readonly #log: FastifyBaseLogger
  readonly #source: LiveSource
  readonly #feeds = new Map<string, EventFeed>()
  readonly #appended = new WeakMap<Transaction, NewLiveEvent[]>()
  readonly #stops: (() => void)[]
  #isTending = false
  #isClosed = false

  constructor(parts: { clock: Clock; pubsub: PubSub; log: FastifyBaseLogger; source: LiveSource }) {
    this.#clock = parts.clock
    this.#pubsub = parts.pubsub
    this.#log = parts.log
    this.#source = parts.source
    this.#stops = [
      this.#pubsub.subscribe('live', (workspaceId) => this.#fanOut(workspaceId)),
      this.#pubsub.subscribe('passing', (text) => this.#pass(JSON.parse(text))),
    ]
  }

  /**
   * Appends an event to the streams of its workspace. All events of a transaction are written as its
   * last statement, because that statement locks a row per workspace, and published after the commit.
   */
  append(tx: Transaction, event: NewLiveEvent): void {
    const appended = this.#appended.get(tx)
    if (appended) {
      appended.push(event)
      return
    }
    this.#appended.set(tx, [event])
    tx.beforeCommit(this.#flush, 'last')
  }

  readonly #flush = async (tx: Transaction): Promise<void> => {
    const events = this.#appended.get(tx) ?? []
    await this.#source.append(tx.db, events)
    tx.afterCommit.push(() => this.#notify(events))
  }

  /** Announces in every process that workspaces have new events. */
  #notify(events: readonly NewLiveEvent[]): void {
    for (const workspaceId of new Set(events.map((event) => event.workspaceId))) {
      this.#pubsub.publish('live', workspaceId)
    }
  }

  /** Passes something on that is not kept, such as that somebody types. */
  broadcast(passing: EphemeralEvent): void {
    this.#pubsub.publish('passing', JSON.stringify(passing))
  }

  /**
   * Opens a stream on an answer whose head is written. With `after` it begins with what came after
   * that place; without, with `first`, at the place that `first` names. Answers how to end it.
   */
  open(
    raw: ServerResponse,
    place: StreamPosition,
    begin: { after: number } | { first: { name: string; data: object; at: number } },
  ): LiveStream {
    const now = this.#clock.now()
    const stream = new LiveStream(raw, 'after' in begin ? begin.after : begin.first.at, now)
    stream.write(retryLine(randomInt(RETRY_MS.min, RETRY_MS.max)), now)
    if ('first' in begin) {
      const { name, data, at } = begin.first
      stream.write(liveEvent(name, data, at), now)
    }
    if (this.#isClosed) {
      this.#closeWithReconnect(stream, 'restarting')
      return stream
    }
    const leave = this.#join(place, stream)
    raw.once('close', leave)
    void this.#catchUp(place, stream)
    this.#tendLater()
    return stream
  }

  /** The place of the last event of a workspace. */
  async positionOf(workspaceId: string): Promise<number> {
    return (await this.#source.positionsOf([workspaceId])).get(workspaceId) ?? 0
  }

  /** Ends a stream with a hint to connect again. */
  end(stream: LiveStream, reason: string): void {
    this.#closeWithReconnect(stream, reason)
  }

  /** Ends every stream with a hint to connect again. */
  close(): void {
    this.#isClosed = true
    for (const stop of this.#stops) stop()
    for (const stream of this.#streams()) this.#closeWithReconnect(stream, 'restarting')
  }

  #closeWithReconnect(stream: LiveStream, reason: string): void {
    stream.end(
      retryLine(randomInt(RETRY_MS.min, RETRY_MS.max)) + liveEvent('reconnect', { reason }),
    )
  }

  #join({ workspaceId, sessionId }: StreamPosition, stream: LiveStream): () => void {
    const feed = this.#feeds.get(workspaceId) ?? this.#openFeed(workspaceId)
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

  #openFeed(workspaceId: string): EventFeed {
    const feed: EventFeed = {
      workspaceId,
      position: this.positionOf(workspaceId),
      isPassing: false,
      isBehind: false,
      workspace: new Set(),
      sessions: new Map(),
    }
    // Who waits for the place hears of a failure; the next look asks again.
    feed.position.catch(() => undefined)
    this.#feeds.set(workspaceId, feed)
    return feed
  }

  /** Reads the new events of a workspace once and gives each to the streams that it is for. */
  #fanOut(workspaceId: string): void {
    const feed = this.#feeds.get(workspaceId)
    if (!feed) return
    feed.isBehind = true
    if (feed.isPassing) return
    feed.isPassing = true
    this.#passOnAll(feed)
      .catch((error: unknown) => {
        this.#log.warn({ err: error, workspaceId }, 'live events could not be read')
        feed.position = feed.position.catch(() => this.positionOf(workspaceId))
        feed.position.catch(() => undefined)
      })
      .finally(() => {
        feed.isPassing = false
      })
  }

  async #passOnAll(feed: EventFeed): Promise<void> {
    while (feed.isBehind) {
      feed.isBehind = false
      const position = await feed.position
      const events = await this.#source.ofWorkspace(feed.workspaceId, position, MAX_PER_READ)
      for (const event of events) this.#deliver(feed, event)
      const last = events.at(-1)
      if (last) feed.position = Promise.resolve(last.position)
      if (events.length === MAX_PER_READ) feed.isBehind = true
    }
  }

  #deliver(feed: EventFeed, event: LiveEvent): void {
    const readers = event.sessionId === null ? undefined : feed.sessions.get(event.sessionId)
    const { workspaceId, workspace } = feed
    for (const reader of feed.sessions.get(event.removes ?? '') ?? []) {
      this.#closeWithReconnect(reader, 'ended')
    }
    if (readers) {
      const sessionId = event.sessionId ?? undefined
      this.#deliverTo(readers, { workspaceId, sessionId }, event)
    }
    if (workspace.size > 0) this.#deliverTo(workspace, { workspaceId, sessionId: undefined }, event)
  }

  #deliverTo(streams: ReadonlySet<LiveStream>, place: StreamPosition, event: LiveEvent): void {
    const at = eventPosition(event, place)
    const bytes = bytesOf(event, place)
    const now = this.#clock.now()
    for (const stream of streams) {
      if (stream.isReading) stream.isBehind = true
      else if (at > stream.last + 1 || stream.isFull) void this.#catchUp(place, stream)
      else if (at === stream.last + 1) {
        stream.last = at
        if (bytes) stream.write(bytes, now)
      }
    }
  }

  /** Reads what a stream has not had, no faster than its reader takes it. */
  async #catchUp(place: StreamPosition, stream: LiveStream): Promise<void> {
    stream.isReading = true
    try {
      do {
        stream.isBehind = false
        // From there on the feed tells what is new; what came before is read here.
        await this.#feeds.get(place.workspaceId)?.position
        await stream.drained()
        if (stream.isOver) return
        const events = await this.#read(place, stream.last)
        const sent = events.findIndex((event) => !this.#sendMissed(place, stream, event))
        stream.isBehind ||= sent !== -1 || events.length === MAX_PER_READ
      } while (stream.isBehind)
      stream.isReading = false
    } catch (error) {
      // The reader comes back with the place of their last event.
      this.#log.warn({ err: error, ...place }, 'a live stream could not be read')
      this.#closeWithReconnect(stream, 'restarting')
    }
  }

  #read({ workspaceId, sessionId }: StreamPosition, after: number): Promise<LiveEvent[]> {
    return sessionId === undefined
      ? this.#source.ofWorkspace(workspaceId, after, MAX_PER_READ)
      : this.#source.ofSession({ workspaceId, sessionId }, after, MAX_PER_READ)
  }

  /** False when so much waits for the reader that the event must be read again later. */
  #sendMissed(place: StreamPosition, stream: LiveStream, event: LiveEvent): boolean {
    if (stream.isFull) return false
    const at = eventPosition(event, place)
    const now = this.#clock.now()
    if (at > stream.last + 1) stream.write(liveEvent('reset', {}, at - 1), now)
    stream.last = at
    const bytes = bytesOf(event, place)
    if (bytes) stream.write(bytes, now)
    return true
  }

  #pass({ place, name, forSession, forWorkspace }: EphemeralEvent): void {
    const feed = this.#feeds.get(place.workspaceId)
    if (!feed) return
    const now = this.#clock.now()
    const send = (streams: Iterable<LiveStream>, data: object) => {
      const text = liveEvent(name, data)
      for (const stream of streams) if (!stream.isFull) stream.write(text, now)
    }
    if (forSession) send(feed.sessions.get(place.sessionId) ?? [], forSession)
    send(feed.workspace, forWorkspace)
  }

  /** One timer for all streams, for as long as there are any. */
  #tendLater(): void {
    if (this.#isTending || this.#isClosed || this.#feeds.size === 0) return
    this.#isTending = true
    this.#clock.after(TEND_MS, () => {
      this.#isTending = false
      const now = this.#clock.now()
      for (const stream of this.#streams()) stream.tend(now)
      void this.#pollPositions()
      this.#tendLater()
    })
  }

  /** Finds out by itself what no wake-up told. */
  async #pollPositions(): Promise<void> {
    try {
      const positions = await this.#source.positionsOf([...this.#feeds.keys()])
      for (const [workspaceId, position] of positions) {
        const known = await this.#feeds.get(workspaceId)?.position.catch(() => -1)
        if (known !== undefined && position > known) this.#fanOut(workspaceId)
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'live events could not be looked for')
    }
  }

  *#streams(): Iterable<LiveStream> {
    for (const { workspace, sessions } of this.#feeds.values()) {
      yield* workspace
      for (const readers of sessions.values()) yield* readers
    }
  }
}
