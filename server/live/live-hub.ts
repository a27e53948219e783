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
import { type EventFeed, FeedRegistry } from './feed-registry.ts'
import { LiveStream } from './stream.ts'
import { onResponseClosed } from '../http/response-closed.ts'

declare module '../context.ts' {
  interface Services {
    /** The live streams of this process. */
    readonly live: LiveHub
  }
}

const TICK_INTERVAL_MS = 1_000
const MAX_PER_READ = 100
/** Jitter that spreads the reconnects of clients that were disconnected together. */
const RETRY_MS = { min: 1_000, max: 4_000 }

/**
 * The streams connected to this process, and the fan-out of events to them. The transaction that
 * causes an event stores it; a notification only says that a workspace has new events. Each stream
 * knows the position of its last event, so that concurrent notifications and reads neither lose nor
 * repeat an event. A lost notification costs at most one second, until the next poll of the
 * positions.
 */
export class LiveHub {
  readonly #clock: Clock
  readonly #pubsub: PubSub
  readonly #log: FastifyBaseLogger
  readonly #source: LiveSource
  readonly #feeds = new FeedRegistry((workspaceId) => this.positionOf(workspaceId))
  readonly #appended = new WeakMap<Transaction, NewLiveEvent[]>()
  readonly #stops: (() => void)[]
  #isScheduled = false
  #isClosed = false

  constructor(parts: { clock: Clock; pubsub: PubSub; log: FastifyBaseLogger; source: LiveSource }) {
    this.#clock = parts.clock
    this.#pubsub = parts.pubsub
    this.#log = parts.log
    this.#source = parts.source
    this.#stops = [
      this.#pubsub.subscribe('live', (workspaceId) => this.#fanOut(workspaceId)),
      this.#pubsub.subscribe('passing', (text) => this.#sendEphemeral(JSON.parse(text))),
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

  /** Notifies every process of new events in workspaces. */
  #notify(events: readonly NewLiveEvent[]): void {
    for (const workspaceId of new Set(events.map((event) => event.workspaceId))) {
      this.#pubsub.publish('live', workspaceId)
    }
  }

  /** Broadcasts an event that is not stored, such as the typing indicator. */
  broadcast(event: EphemeralEvent): void {
    this.#pubsub.publish('passing', JSON.stringify(event))
  }

  /**
   * Opens a stream on a response whose head is sent. `after` resumes behind that position; `first`
   * is sent first and names the position to start from. Returns the stream.
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
    const leave = this.#feeds.join(place, stream)
    onResponseClosed(raw, leave)
    void this.#catchUp(place, stream)
    this.#scheduleTick()
    return stream
  }

  /** Returns the position of a workspace's last event. */
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
    for (const stream of this.#feeds.streams()) this.#closeWithReconnect(stream, 'restarting')
  }

  #closeWithReconnect(stream: LiveStream, reason: string): void {
    stream.end(
      retryLine(randomInt(RETRY_MS.min, RETRY_MS.max)) + liveEvent('reconnect', { reason }),
    )
  }

  /** Reads the new events of a workspace once and sends each to its streams. */
  #fanOut(workspaceId: string): void {
    const feed = this.#feeds.get(workspaceId)
    if (!feed) return
    feed.isBehind = true
    if (feed.isFanningOut) return
    feed.isFanningOut = true
    this.#fanOutAll(feed)
      .catch((error: unknown) => {
        this.#log.warn(
          { event: 'live.fan_out_failed', err: error, workspaceId },
          'fan-out of live events failed',
        )
        feed.position = feed.position.catch(() => this.positionOf(workspaceId))
        feed.position.catch(() => undefined)
      })
      .finally(() => {
        feed.isFanningOut = false
      })
  }

  async #fanOutAll(feed: EventFeed): Promise<void> {
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

  /** Reads the events that a stream has missed, no faster than its client reads. */
  async #catchUp(place: StreamPosition, stream: LiveStream): Promise<void> {
    stream.isReading = true
    try {
      do {
        stream.isBehind = false
        // The fan-out covers events after this position; this read covers those before it.
        await this.#feeds.get(place.workspaceId)?.position
        await stream.drained()
        if (stream.isOver) return
        const events = await this.#read(place, stream.last)
        const sent = events.findIndex((event) => !this.#sendBacklog(place, stream, event))
        stream.isBehind ||= sent !== -1 || events.length === MAX_PER_READ
      } while (stream.isBehind)
      stream.isReading = false
    } catch (error) {
      // The client reconnects with the position of its last event.
      this.#log.warn(
        { event: 'live.catch_up_failed', err: error, ...place },
        'catch-up of a live stream failed',
      )
      this.#closeWithReconnect(stream, 'restarting')
    }
  }

  #read({ workspaceId, sessionId }: StreamPosition, after: number): Promise<LiveEvent[]> {
    return sessionId === undefined
      ? this.#source.ofWorkspace(workspaceId, after, MAX_PER_READ)
      : this.#source.ofSession({ workspaceId, sessionId }, after, MAX_PER_READ)
  }

  /** Returns false when the stream's buffer is full and the event must be read again later. */
  #sendBacklog(place: StreamPosition, stream: LiveStream, event: LiveEvent): boolean {
    if (stream.isFull) return false
    const at = eventPosition(event, place)
    const now = this.#clock.now()
    if (at > stream.last + 1) stream.write(liveEvent('reset', {}, at - 1), now)
    stream.last = at
    const bytes = bytesOf(event, place)
    if (bytes) stream.write(bytes, now)
    return true
  }

  #sendEphemeral({ place, name, forSession, forWorkspace }: EphemeralEvent): void {
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

  /** One timer for all streams, while any is open. */
  #scheduleTick(): void {
    if (this.#isScheduled || this.#isClosed || this.#feeds.isEmpty) return
    this.#isScheduled = true
    this.#clock.after(TICK_INTERVAL_MS, () => {
      this.#isScheduled = false
      const now = this.#clock.now()
      for (const stream of this.#feeds.streams()) stream.tick(now)
      void this.#pollPositions()
      this.#scheduleTick()
    })
  }

  /** Polls the positions of all feeds, in place of a lost notification. */
  async #pollPositions(): Promise<void> {
    try {
      const positions = await this.#source.positionsOf(this.#feeds.workspaceIds())
      for (const [workspaceId, position] of positions) {
        const known = await this.#feeds.get(workspaceId)?.position.catch(() => -1)
        if (known !== undefined && position > known) this.#fanOut(workspaceId)
      }
    } catch (error) {
      this.#log.warn({ event: 'live.poll_failed', err: error }, 'poll of live positions failed')
    }
  }
}
