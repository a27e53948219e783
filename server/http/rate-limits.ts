import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import rateLimit from '@fastify/rate-limit'
import type { Registry } from 'prom-client'
import type { LimitName } from '../config.ts'
import { AppError } from './errors.ts'
import type { RateLimitStore } from './rate-limit-store.ts'
import { httpMetrics } from './metrics.ts'

export type PoolName =
  | LimitName
  | 'visitor-auth'
  | 'visitor'
  | 'visitor-address'
  | 'visitor-address-rest'
  | 'account'
  | 'wrong-key'
  | 'wrong-operator-token'
  | 'key-verification'

const WINDOW_MS = 60_000
/** The limit of an account over all addresses, in full windows of single addresses. */
const LOGIN_ADDRESSES_PER_ACCOUNT = 4
const MAX_WRONG_KEYS = 20
/** Verifications of one key for an address whose window of wrong keys is full. */
const MAX_VERIFICATIONS_OF_KEY = 1
/** The limit of an address, in visitors: a new visitor id at the same address gains little. */
const VISITORS_PER_ADDRESS = 10
/** The same for calls that pages make unasked, such as typing events; offices share an address. */
const PAGES_PER_ADDRESS = 50

/** Counts calls against the rate limit pools. */
export interface Limits {
  /**
   * Counts one call of `key` and sets the headers of the reply. Throws 429 when the window is full.
   * A pool that is set to 0 neither counts nor sends headers.
   */
  count(pool: PoolName, key: string, reply: FastifyReply): Promise<void>
  /** Returns whether the window of `key` is full, without counting. */
  isFull(pool: PoolName, key: string, request: FastifyRequest): Promise<boolean>
}

/** Opens the pools on `@fastify/rate-limit`, with counters that processes may share. */
export async function openLimits(
  app: FastifyInstance,
  numbers: Record<LimitName, number>,
  counters: RateLimitStore,
  metrics: Registry,
): Promise<Limits> {
  await app.register(rateLimit, { global: false, store: counters.storeClass() })
  const numberOf: Record<PoolName, number> = {
    ...numbers,
    'visitor-auth': numbers.auth,
    visitor: numbers.default,
    'visitor-address': numbers.message * VISITORS_PER_ADDRESS,
    'visitor-address-rest': numbers.default * PAGES_PER_ADDRESS,
    account: numbers.auth * LOGIN_ADDRESSES_PER_ACCOUNT,
    'wrong-key': MAX_WRONG_KEYS,
    'wrong-operator-token': MAX_WRONG_KEYS,
    'key-verification': MAX_VERIFICATIONS_OF_KEY,
  }
  const { refusals } = httpMetrics(metrics)
  for (const pool of Object.keys(numberOf)) refusals.series({ pool })
  const keys = new WeakMap<FastifyRequest, string>()
  const checks = new Map(
    Object.entries(numberOf).map(([pool, max]) => [
      pool,
      app.createRateLimit({
        max,
        timeWindow: WINDOW_MS,
        keyGenerator: (request) => `${pool}:${keys.get(request) ?? ''}`,
      }),
    ]),
  )
  return {
    async count(pool, key, reply) {
      const check = checks.get(pool)
      if (!check || numberOf[pool] === 0) return
      keys.set(reply.request, key)
      const counted = await check(reply.request, { increment: true })
      if (counted.isAllowed) return
      const reset = Math.max(1, counted.ttlInSeconds)
      const isShown = counted.isExceeded || pool !== 'key-verification'
      if (isShown) setLimitHeaders(reply, counted.max, counted.remaining, reset)
      if (!counted.isExceeded) return
      refusals.series({ pool }).add()
      throw new AppError(
        'rate_limited',
        `More than ${counted.max} calls in a minute. Try again in ${reset} s.`,
        { headers: { 'retry-after': String(reset) } },
      )
    },
    async isFull(pool, key, request) {
      const check = checks.get(pool)
      if (!check || numberOf[pool] === 0) return false
      keys.set(request, key)
      const counted = await check(request, { increment: false })
      return !counted.isAllowed && counted.remaining === 0
    },
  }
}

/** When a call counts in two pools, the headers show the pool with fewer calls left. */
function setLimitHeaders(
  reply: FastifyReply,
  limit: number,
  remaining: number,
  reset: number,
): void {
  const shown = reply.getHeader('x-ratelimit-remaining')
  if (shown !== undefined && Number(shown) < remaining) return
  reply.headers({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  })
}
