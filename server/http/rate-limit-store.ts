import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import { Gauge, type Registry } from 'prom-client'
import { SECOND_MS } from '../lib/durations.ts'
import { randomText } from '../lib/ids.ts'

declare module '../context.ts' {
  interface Services {
    /** Counters of rate limits, for what no request counts. */
    readonly counters: RateLimitStore
  }
}

/** Bounds the memory against invented keys, per length of window; the oldest are evicted first. */
const MAX_KEYS = 200_000
const PREFIX = 'sohbet:limit:'
const PROCESSES_PREFIX = 'sohbet:processes:'
const PROCESS_ID_LENGTH = 12
/** While Redis fails, one call in this time asks whether it is back, and nobody waits for the answer. */
const RETRY_DELAY_MS = SECOND_MS
const ANNOUNCE_INTERVAL_MS = 5 * SECOND_MS
/** A process that has not announced itself for so long is gone. */
const PROCESS_TTL_MS = 3 * ANNOUNCE_INTERVAL_MS

/**
 * Increments a counter, starts its window with the first call, and returns the count and the TTL.
 */
const COUNT = `
local n = redis.call('incr', KEYS[1])
if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
local left = redis.call('pttl', KEYS[1])
if left < 0 then redis.call('pexpire', KEYS[1], ARGV[1]) left = tonumber(ARGV[1]) end
return {n, left}`

/** Announces a process by the clock of Redis, forgets those that are gone, and returns how many are there. */
const ANNOUNCE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zadd', KEYS[1], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[2])
return redis.call('zcard', KEYS[1])`

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

/** Redis or Valkey, shared by the processes of an installation. */
export interface SharedCounters {
  redis: Redis
  /** The same in each process of the installation, and in no other one on the same Redis. */
  installation: string
  log: FastifyBaseLogger
  /** Whether this process counts requests, and so takes a part of each limit. */
  isCounting: boolean
}

/**
 * Fixed-window counters: shared through Redis or Valkey where configured, else of this process. While
 * Redis fails, this process counts alone, and each call for as many as there were processes: all of
 * them together allow what the limit says, and each of them at least one call.
 */
export class RateLimitStore {
  readonly #now: () => number
  readonly #shared: SharedCounters | undefined
  readonly #id = randomText(PROCESS_ID_LENGTH)
  readonly #announcing: NodeJS.Timeout | undefined
  #isFailing = false
  #retryAt = 0
  /** How many processes count for the installation, by the last answer of Redis. */
  #processes = 1
  /** The counters of each length of window, in the order in which their windows end. */
  readonly #local = new Map<number, Map<string, LocalWindow>>()

  constructor(now: () => number, shared?: SharedCounters) {
    this.#now = now
    this.#shared = shared
    if (!shared?.isCounting) return
    shared.redis.on('ready', () => this.#announce())
    this.#announcing = setInterval(() => this.#announce(), ANNOUNCE_INTERVAL_MS).unref()
  }

  /** Leaves the processes of the installation: the others may allow more without Redis. */
  async close(): Promise<void> {
    clearInterval(this.#announcing)
    if (!this.#shared?.isCounting || this.#shared.redis.status !== 'ready') return
    await this.#shared.redis.zrem(this.#processesKey(), this.#id).catch(() => undefined)
  }

  /** Whether Redis is configured and this process counts alone, because Redis does not answer. */
  get isAlone(): boolean {
    return this.#shared !== undefined && (this.#isFailing || this.#shared.redis.status !== 'ready')
  }

  expose(registry: Registry): void {
    const alone: Gauge = new Gauge({
      name: 'sohbet_rate_limit_local',
      help: '1 while rate limits are counted by this process alone because Redis does not answer',
      registers: [registry],
      collect: () => alone.set(this.isAlone ? 1 : 0),
    })
    const processes: Gauge = new Gauge({
      name: 'sohbet_rate_limit_processes',
      help: 'Processes that share the rate limits, by the last answer of Redis; 1 without Redis',
      registers: [registry],
      collect: () => processes.set(this.#processes),
    })
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
    if (!this.#shared) return undefined
    const { redis } = this.#shared
    if (redis.status !== 'ready') {
      this.#fail()
      return undefined
    }
    if (this.#isFailing) {
      this.#retry(redis)
      return undefined
    }
    try {
      return await query(redis)
    } catch {
      this.#fail()
      return undefined
    }
  }

  #fail(): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#retryAt = this.#now() + RETRY_DELAY_MS
    this.#shared?.log.warn(
      { event: 'limits.local', processes: this.#processes },
      'Redis does not answer: this process counts its part of the rate limits alone',
    )
  }

  /** Asks in the background whether Redis is back. */
  #retry(redis: Redis): void {
    const now = this.#now()
    if (now < this.#retryAt) return
    this.#retryAt = now + RETRY_DELAY_MS
    redis.ping().then(
      () => {
        if (!this.#isFailing) return
        this.#isFailing = false
        this.#shared?.log.info({ event: 'limits.shared' }, 'Redis answers: rate limits are shared')
      },
      () => undefined,
    )
  }

  #announce(): void {
    const { redis } = this.#shared ?? {}
    if (redis?.status !== 'ready') return
    redis.eval(ANNOUNCE, 1, this.#processesKey(), this.#id, PROCESS_TTL_MS).then(
      (count) => (this.#processes = Math.max(1, Number(count))),
      () => undefined,
    )
  }

  #processesKey(): string {
    return PROCESSES_PREFIX + (this.#shared?.installation ?? '')
  }

  /** The count as it would be if every process had counted the same; the first call is always one. */
  #scaled(count: number): number {
    return count <= 1 ? count : count * this.#processes
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
      return { current: this.#scaled(known.count), ttl: known.ends - now }
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
      if (known && known.ends > now) {
        return { current: this.#scaled(known.count), ttl: known.ends - now }
      }
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
