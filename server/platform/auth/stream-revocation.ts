import type { FastifyBaseLogger } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { SwapRemoveSet } from '../../lib/swap-remove-set.ts'
import type { Db } from '../../storage/database.ts'
import type { Caller } from './authenticator.ts'
import { PLANS } from './plans.ts'
import { type Suspensions, suspended } from './suspensions.ts'
import { findActiveFamilies, findActiveKeys } from './store.streams.ts'

declare module '../../context.ts' {
  interface Services {
    readonly streams: RevocableStreams
  }
}

/** The interval of the rights check: other processes revoke rights too. */
const CHECK_INTERVAL_MS = 1_000

interface RevocableStream {
  caller: Caller
  /** A live stream ends with its token; a stream that answers a request may outlast the token. */
  isLive: boolean
  end: (why: AppError) => void
  /** Removes the stream; returns whether the stream was open. */
  leave: () => boolean
}

/**
 * The open event streams of this process. Each stream is ended soon after its caller loses its
 * rights.
 */
export class RevocableStreams {
  readonly #db: Db
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #suspensions: Suspensions
  readonly #open = new SwapRemoveSet<RevocableStream>()
  #isScheduled = false
  #isChecking = false
  #isCheckPending = false

  constructor(parts: { db: Db; clock: Clock; log: FastifyBaseLogger; suspensions: Suspensions }) {
    this.#suspensions = parts.suspensions
    this.#db = parts.db
    this.#clock = parts.clock
    this.#log = parts.log
  }

  /**
   * Watches a stream until the returned function is called. `end` is called at most once, within a
   * second of the end of the token's family, its user or the key, or of the workspace's suspension,
   * in whichever process that was.
   */
  add(caller: Caller, options: { isLive: boolean }, end: (why: AppError) => void): () => void {
    const stream: RevocableStream = { caller, isLive: options.isLive, end, leave: () => false }
    stream.leave = this.#open.add(stream)
    this.#scheduleCheck()
    return stream.leave
  }

  /** Returns the number of open streams, by kind and reader. */
  counts(): { kind: 'answer' | 'live'; reader: 'member' | 'visitor'; count: number }[] {
    const streams = this.#open.all()
    return (['answer', 'live'] as const).flatMap((kind) =>
      (['member', 'visitor'] as const).map((reader) => ({
        kind,
        reader,
        count: streams.filter(
          ({ caller, isLive }) =>
            isLive === (kind === 'live') && (caller.kind === 'visitor') === (reader === 'visitor'),
        ).length,
      })),
    )
  }

  /** Returns the members who listen to live streams in this process. */
  liveMembers(): string[] {
    return this.#open
      .all()
      .flatMap(({ caller, isLive }) => (isLive && caller.kind === 'user' ? caller.id : []))
  }

  /** Checks all streams at once. Called after a revocation. */
  checkNow(): void {
    if (this.#open.size === 0) return
    this.#isCheckPending = this.#isChecking
    if (this.#isChecking) return
    this.#isChecking = true
    void this.#checkAll().finally(() => {
      this.#isChecking = false
      if (this.#isCheckPending) this.checkNow()
    })
  }

  #scheduleCheck(): void {
    if (this.#isScheduled || this.#open.size === 0) return
    this.#isScheduled = true
    this.#clock.after(CHECK_INTERVAL_MS, () => {
      this.#isScheduled = false
      this.checkNow()
      this.#scheduleCheck()
    })
  }

  async #checkAll(): Promise<void> {
    try {
      const streams = this.#open.all()
      const now = this.#clock.now()
      const [suspendedIds, families, keys] = await Promise.all([
        this.#suspensions.read(),
        this.#findFor(streams, tokenFamilyOf, (ids) => findActiveFamilies(this.#db, ids, now)),
        this.#findFor(streams, keyOf, (ids) => findActiveKeys(this.#db, ids, now)),
      ])
      const plans = new Map(keys.map(({ id, plan }) => [id, plan]))
      const activeFamilies = new Set(families)
      for (const stream of streams) {
        const why = suspendedIds.has(stream.caller.workspaceId)
          ? suspended()
          : reasonToEnd(stream, { activeFamilies, plans, now })
        if (why && stream.leave()) stream.end(why)
      }
    } catch (error) {
      this.#log.warn({ event: 'streams.check_failed', err: error }, 'stream rights check failed')
    }
  }

  async #findFor<Found>(
    streams: readonly RevocableStream[],
    idOf: (caller: Caller) => string | undefined,
    find: (ids: readonly string[]) => Promise<Found[]>,
  ): Promise<Found[]> {
    const ids = new Set(streams.flatMap(({ caller }) => idOf(caller) ?? []))
    return ids.size > 0 ? find([...ids]) : []
  }
}

function tokenFamilyOf(caller: Caller): string | undefined {
  return caller.kind === 'user' ? caller.familyId : undefined
}

function keyOf(caller: Caller): string | undefined {
  return caller.kind === 'key' ? caller.keyId : undefined
}

function reasonToEnd(
  { caller, isLive }: RevocableStream,
  known: { activeFamilies: Set<string>; plans: Map<string, keyof typeof PLANS>; now: number },
): AppError | undefined {
  if (caller.kind === 'key') {
    const plan = known.plans.get(caller.keyId ?? '')
    if (!plan) return new AppError('unauthenticated', 'The API key was destroyed or has expired.')
    if (PLANS[plan].hasApiKeys) return undefined
    return new AppError('not_in_plan', 'API keys need a plan above Starter.')
  }
  if (caller.kind === 'user' && !known.activeFamilies.has(caller.familyId ?? '')) {
    return new AppError('unauthenticated', 'The login of this token has ended. Sign in again.')
  }
  if (isLive && caller.expiresAt !== undefined && caller.expiresAt <= known.now) {
    return new AppError('unauthenticated', 'The token has expired. Reconnect with a new one.')
  }
  return undefined
}

/**
 * Registers every event stream of the app. A `GET` is a live stream, any other method a response.
 */
export function revokeStreamsOf(app: App, streams: RevocableStreams): void {
  app.decorate('watchStream', ({ caller, method }, end) =>
    caller ? streams.add(caller, { isLive: method === 'GET' }, end) : () => undefined,
  )
}
