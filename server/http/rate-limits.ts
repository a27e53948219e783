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
  | 'wrong-key'

const WINDOW_MS = 60_000
const WRONG_KEYS = 20
/** An address has the message limit of this many visitors of a site: new visitor ids gain little. */
const VISITORS_PER_ADDRESS = 2
/** The same for what pages do by themselves, such as saying that somebody types; offices share one. */
const PAGES_PER_ADDRESS = 50

/** Counts calls against the pools of contract section 2. */
export interface Limits {
  /**
   * Counts one call of `key` and puts the headers on the reply. Throws 429 when the window is full.
   * A pool that is set to 0 counts nothing and sends nothing.
   */
  count(pool: PoolName, key: string, reply: FastifyReply): Promise<void>
  /** Throws 429 when the window of `key` is full already, without counting. */
  assertNotFull(pool: PoolName, key: string, reply: FastifyReply): Promise<void>
}

/** Opens the pools on `@fastify/rate-limit`, with counters that may be shared between processes. */
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
    'wrong-key': WRONG_KEYS,
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
  async function applyLimit(pool: PoolName, key: string, reply: FastifyReply, increment: boolean) {
    const check = checks.get(pool)
    if (!check || numberOf[pool] === 0) return
    keys.set(reply.request, key)
    const counted = await check(reply.request, { increment })
    if (counted.isAllowed) return
    const reset = Math.max(1, counted.ttlInSeconds)
    const isFull = increment ? counted.isExceeded : counted.remaining === 0
    if (increment || isFull) setLimitHeaders(reply, counted.max, counted.remaining, reset)
    if (!isFull) return
    refusals.series({ pool }).add()
    throw new AppError(
      'rate_limited',
      `More than ${counted.max} calls in a minute. Try again in ${reset} s.`,
      { headers: { 'retry-after': String(reset) } },
    )
  }
  return {
    count: (pool, key, reply) => applyLimit(pool, key, reply, true),
    assertNotFull: (pool, key, reply) => applyLimit(pool, key, reply, false),
  }
}

/** When a call counts in two pools, the answer shows the one that has less left. */
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
