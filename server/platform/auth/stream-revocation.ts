import type { FastifyBaseLogger } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { SwapRemoveSet } from '../../lib/swap-remove-set.ts'
import type { Db } from '../../storage/database.ts'
import type { Caller } from './authenticator.ts'
import { PLANS } from './plans.ts'
import { findActiveFamilies, findActiveKeys } from './store.streams.ts'

declare module '../../context.ts' {
  interface Services {
    readonly streams: RevocableStreams
  }
}

/** How often the rights behind open streams are looked at: other processes end them too. */
const LOOK_MS = 1_000

interface RevocableStream {
  caller: Caller
  /** A stream without an end of its own; one that answers a request may outlast its token. */
  isLive: boolean
  end: (why: AppError) => void
  /** Whether it was still open; it no longer is. */
  leave: () => boolean
}

/** The event streams that are open on this process, each ended soon after its caller's rights. */
export class RevocableStreams {
  readonly #db: Db
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #open = new SwapRemoveSet<RevocableStream>()
  #isWaiting = false
  #isLooking = false
  #scheduleCheck = false

  constructor(parts: { db: Db; clock: Clock; log: FastifyBaseLogger }) {
    this.#db = parts.db
    this.#clock = parts.clock
    this.#log = parts.log
  }

  /**
   * Watches a stream until the returned function is called. `end` is called at most once, within a
   * second of the end of the token's family, its user or the key, in whichever process that was.
   */
  add(caller: Caller, options: { isLive: boolean }, end: (why: AppError) => void): () => void {
    const stream: RevocableStream = { caller, isLive: options.isLive, end, leave: () => false }
    stream.leave = this.#open.add(stream)
    this.#wait()
    return stream.leave
  }

  /** How many are open, by kind and reader. */
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

  /** Looks at once: to be called when rights were taken away. */
  checkNow(): void {
    if (this.#open.size === 0) return
    this.#scheduleCheck = this.#isLooking
    if (this.#isLooking) return
    this.#isLooking = true
    void this.#checkAll().finally(() => {
      this.#isLooking = false
      if (this.#scheduleCheck) this.checkNow()
    })
  }

  #wait(): void {
    if (this.#isWaiting || this.#open.size === 0) return
    this.#isWaiting = true
    this.#clock.after(LOOK_MS, () => {
      this.#isWaiting = false
      this.checkNow()
      this.#wait()
    })
  }

  async #checkAll(): Promise<void> {
    try {
      const streams = this.#open.all()
      const now = this.#clock.now()
      const [families, keys] = await Promise.all([
        this.#askFor(streams, tokenFamilyOf, (ids) => findActiveFamilies(this.#db, ids, now)),
        this.#askFor(streams, keyOf, (ids) => findActiveKeys(this.#db, ids, now)),
      ])
      const plans = new Map(keys.map(({ id, plan }) => [id, plan]))
      const living = new Set(families)
      for (const stream of streams) {
        const why = reasonToEnd(stream, { living, plans, now })
        if (why && stream.leave()) stream.end(why)
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'open streams could not be checked')
    }
  }

  async #askFor<Found>(
    streams: readonly RevocableStream[],
    idOf: (caller: Caller) => string | undefined,
    ask: (ids: readonly string[]) => Promise<Found[]>,
  ): Promise<Found[]> {
    const ids = new Set(streams.flatMap(({ caller }) => idOf(caller) ?? []))
    return ids.size > 0 ? ask([...ids]) : []
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
  known: { living: Set<string>; plans: Map<string, keyof typeof PLANS>; now: number },
): AppError | undefined {
  if (caller.kind === 'key') {
    const plan = known.plans.get(caller.keyId ?? '')
    if (!plan) return new AppError('unauthenticated', 'The API key was destroyed or has expired.')
    if (PLANS[plan].hasApiKeys) return undefined
    return new AppError('not_in_plan', 'API keys need a plan above Starter.')
  }
  if (caller.kind === 'user' && !known.living.has(caller.familyId ?? '')) {
    return new AppError('unauthenticated', 'The session behind this token has ended.')
  }
  if (isLive && caller.expiresAt !== undefined && caller.expiresAt <= known.now) {
    return new AppError('unauthenticated', 'The token has expired. Come back with a new one.')
  }
  return undefined
}

/** Has every event stream of the app watched. A `GET` is a live stream, anything else an answer. */
export function revokeStreamsOf(app: App, streams: RevocableStreams): void {
  app.decorate('watchStream', ({ caller, method }, end) =>
    caller ? streams.add(caller, { isLive: method === 'GET' }, end) : () => undefined,
  )
}
