import type { Redis } from 'ioredis'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'

declare module '../context.ts' {
  interface Services {
    /** Counters of rate limits, for what no request counts. */
    readonly counters: RateLimitStore
  }
}

/** Bounds the memory against invented keys; the oldest keys are evicted first. */
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
  readonly #local = new Map<string, { count: number; ends: number }>()

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
    const known = this.#local.get(key)
    if (known && known.ends > now) {
      known.count += 1
      return { current: known.count, ttl: known.ends - now }
    }
    this.#local.delete(key)
    if (this.#local.size >= MAX_KEYS) this.#evictExpired(now)
    this.#local.set(key, { count: 1, ends: now + windowMs })
    return { current: 1, ttl: windowMs }
  }

  #readLocally(key: string): WindowCount {
    const known = this.#local.get(key)
    const left = known ? known.ends - this.#now() : 0
    return known && left > 0 ? { current: known.count, ttl: left } : { current: 0, ttl: 0 }
  }

  #evictExpired(now: number): void {
    for (const [key, { ends }] of this.#local) {
      if (ends <= now) this.#local.delete(key)
    }
    for (const key of this.#local.keys()) {
      if (this.#local.size < MAX_KEYS) break
      this.#local.delete(key)
    }
  }
}

function toPair(answer: unknown): [number, number] {
  if (!Array.isArray(answer))
    throw new Error('Redis returned an unexpected reply for a rate limit counter.')
  return [Number(answer[0]), Number(answer[1])]
}
