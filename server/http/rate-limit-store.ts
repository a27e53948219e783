import type { Redis } from 'ioredis'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'

declare module '../context.ts' {
  interface Services {
    /** Counters of rate limits, for what no request counts. */
    readonly counters: RateLimitStore
  }
}

/** Bounds the memory against invented keys, per length of window; the oldest are evicted first. */
const MAX_KEYS = 200_000
const PREFIX = 'sohbet:limit:'
/** After a failure Redis is skipped for so long, so that not every call waits for a timeout. */
const RETRY_DELAY_MS = 2_000

/**
 * Increments a counter, starts its window with the first call, and returns the count and the TTL.
 */
const COUNT = `
local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
local left = redis.call('pttl', KEYS[1])
if left < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) left = tonumber(ARGV[1]) end
return {n, left}`

/** More than one, so that windows that have ended become fewer. */
const MAX_EVICTIONS_PER_KEY = 2

interface LocalWindow {
  count: number
  ends: number
}

/** The count of a key in its window, and the milliseconds until the window ends. */
interface WindowCount {
  current: number
  ttl: number
}

/**
 * Fixed-window counters: shared through Redis or Valkey where configured, else of this process. While
 * Redis fails, the counters of this process are used.
 */
export class RateLimitStore {
  readonly #now: () => number
  readonly #redis: Redis | undefined
  #pausedUntil = 0
  /** The counters of each length of window, in the order in which their windows end. */
  readonly #local = new Map<number, Map<string, LocalWindow>>()

  constructor(now: () => number, redis: Redis | undefined) {
    this.#now = now
    this.#redis = redis
  }

  /** Counts one call of `key` in a window of `windowMs`. */
  async add(key: string, windowMs: number): Promise<WindowCount> {
    const shared = await this.#tryRedis(async (redis) => {
      const [current, ttl] = toPair(await redis.eval(COUNT, 1, PREFIX + key, windowMs))
      return { current, ttl }
    })
    return shared ?? this.#addLocally(key, windowMs)
  }

  /** Returns the count of `key` in its present window, without counting. */
  async read(key: string): Promise<WindowCount> {
    const shared = await this.#tryRedis(async (redis) => {
      const [current, ttl] = await Promise.all([redis.get(PREFIX + key), redis.pttl(PREFIX + key)])
      return { current: Number(current ?? 0), ttl: Math.max(0, ttl) }
    })
    return shared ?? this.#readLocally(key)
  }

  /** Returns the result of Redis; `undefined` without Redis or while Redis fails. */
  async #tryRedis(query: (redis: Redis) => Promise<WindowCount>): Promise<WindowCount | undefined> {
    if (this.#redis?.status !== 'ready' || this.#now() < this.#pausedUntil) return undefined
    try {
      return await query(this.#redis)
    } catch {
      this.#pausedUntil = this.#now() + RETRY_DELAY_MS
      return undefined
    }
  }

  /** Returns the store class for `@fastify/rate-limit`. */
  storeClass(): FastifyRateLimitStoreCtor {
    const add = (key: string, windowMs: number) => this.add(key, windowMs)
    const read = (key: string) => this.read(key)
    return class Store {
      incr(
        key: string,
        done: (error: Error | null, count?: WindowCount) => void,
        windowMs: number,
      ) {
        add(key, windowMs).then((count) => done(null, count), done)
      }

      read(key: string, done: (error: Error | null, count?: WindowCount) => void) {
        read(key).then((count) => done(null, count), done)
      }

      child() {
        return this
      }
    }
  }

  #addLocally(key: string, windowMs: number): WindowCount {
    const now = this.#now()
    const windows = this.#local.get(windowMs) ?? new Map<string, LocalWindow>()
    this.#local.set(windowMs, windows)
    const known = windows.get(key)
    if (known && known.ends > now) {
      known.count += 1
      return { current: known.count, ttl: known.ends - now }
    }
    windows.delete(key)
    makeRoom(windows, now)
    windows.set(key, { count: 1, ends: now + windowMs })
    return { current: 1, ttl: windowMs }
  }

  #readLocally(key: string): WindowCount {
    const now = this.#now()
    for (const windows of this.#local.values()) {
      const known = windows.get(key)
      if (known && known.ends > now) return { current: known.count, ttl: known.ends - now }
    }
    return { current: 0, ttl: 0 }
  }
}

/**
 * Deletes a few of the oldest windows that have ended, and at the bound the oldest one. A new window
 * pays for at most two old ones, so that no call scans the map.
 */
function makeRoom(windows: Map<string, LocalWindow>, now: number): void {
  let checked = 0
  for (const [key, { ends }] of windows) {
    if (ends > now && windows.size < MAX_KEYS) return
    windows.delete(key)
    checked += 1
    if (checked === MAX_EVICTIONS_PER_KEY) return
  }
}

function toPair(answer: unknown): [number, number] {
  if (!Array.isArray(answer))
    throw new Error('Redis returned an unexpected reply for a rate limit counter.')
  return [Number(answer[0]), Number(answer[1])]
}
