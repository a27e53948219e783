import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preValidationHookHandler,
} from 'fastify'
import rateLimit from '@fastify/rate-limit'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { LimitName } from '../config.ts'
import type { Services } from '../context.ts'
import { clientNetwork } from './addresses.ts'
import { AppError } from './errors.ts'
import type { RateLimitStore } from './rate-limit-store.ts'
import { httpMetrics } from './metrics.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { onResponseClosed } from './response-closed.ts'

export type PoolName =
  | LimitName
  | 'visitor-auth'
  | 'visitor'
  | 'visitor-address'
  | 'visitor-address-rest'
  | 'account'
  | 'wrong-key'
  | 'wrong-operator-token'
  | 'wrong-metrics-token'
  | 'key-verification'
  | 'booking'
  | 'email-change'
  | 'two-factor'
  | 'visitor-files'
  | 'hooks-unverified'
  | 'hooks-idle'
  | 'export'

const WINDOW_MS = MINUTE_MS
/** Bookings of an address at a site in an hour: a calendar is finite, and a new visitor id is free. */
const MAX_BOOKINGS = 5
/** Addresses that a member may try in an hour: each of them gets a mail. */
const MAX_EMAIL_CHANGES = 5
/** Codes of the second factor that are tried for one account in an hour: six digits are few. */
const MAX_CODES = 20
/** Files of an address at a site in an hour: a new conversation is free. */
const MAX_VISITOR_FILES = 20
/** Calls of a site's own systems in a minute: of one visitor, and of all. */
const MAX_ACTIONS_OF_VISITOR = 10
const MAX_ACTIONS_OF_SITE = 120
/** Exports of a workspace in an hour: each reads everything that it has. */
const MAX_EXPORTS = 6
/** Windows longer than a minute. */
const LONGER_WINDOWS_MS: Partial<Record<PoolName, number>> = {
  booking: HOUR_MS,
  'email-change': HOUR_MS,
  'two-factor': HOUR_MS,
  'visitor-files': HOUR_MS,
  export: HOUR_MS,
}
/** The limit of an account over all addresses, in full windows of single addresses. */
const LOGIN_ADDRESSES_PER_ACCOUNT = 4
/** Calls of hooks without a right signature, per client address. */
const MAX_UNVERIFIED_HOOKS = 60
const MAX_WRONG_KEYS = 20
/** Verifications of one key for an address whose window of wrong keys is full. */
const MAX_VERIFICATIONS_OF_KEY = 1
/** An address has the message limit of this many visitors of a site: new visitor ids gain little. */
const VISITORS_PER_ADDRESS = 2
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
  /** Throws 429 when the window of `key` is full, without counting. */
  assertNotFull(pool: PoolName, key: string, reply: FastifyReply): Promise<void>
}

/** Returns the key of what a visitor's device does at a site. */
export function siteClientKey(tenantId: string, client: string): string {
  return `${tenantId}:${client}`
}

/** Counts a booking that no request of its own makes; returns false when the window is full. */
export async function tryCountBooking(
  { config, counters }: Pick<Services, 'config' | 'counters'>,
  key: string,
): Promise<boolean> {
  if (config.limits.default === 0) return true
  return (await counters.add(counterOf('booking', key), HOUR_MS)).current <= MAX_BOOKINGS
}

/**
 * Counts a call of an action, for the visitor's device and for the site; returns false when either
 * window is full.
 */
export async function tryCountAction(
  { config, counters }: Pick<Services, 'config' | 'counters'>,
  { tenantId, client }: { tenantId: string; client: string },
): Promise<boolean> {
  if (config.limits.default === 0) return true
  const own = await counters.add(counterOf('action', siteClientKey(tenantId, client)), WINDOW_MS)
  if (own.current > MAX_ACTIONS_OF_VISITOR) return false
  const all = await counters.add(counterOf('action-site', tenantId), WINDOW_MS)
  return all.current <= MAX_ACTIONS_OF_SITE
}

function counterOf(pool: string, key: string): string {
  return `${pool}:${key}`
}

/** A window as `@fastify/rate-limit` counts it. */
type LimitedCount = { max: number; ttlInSeconds: number }

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
    'wrong-metrics-token': MAX_WRONG_KEYS,
    'key-verification': MAX_VERIFICATIONS_OF_KEY,
    booking: numbers.default === 0 ? 0 : MAX_BOOKINGS,
    'email-change': numbers.auth === 0 ? 0 : MAX_EMAIL_CHANGES,
    'two-factor': numbers.auth === 0 ? 0 : MAX_CODES,
    'visitor-files': numbers.default === 0 ? 0 : MAX_VISITOR_FILES,
    'hooks-unverified': numbers.hooks === 0 ? 0 : MAX_UNVERIFIED_HOOKS,
    'hooks-idle': numbers.hooks,
    export: numbers.default === 0 ? 0 : MAX_EXPORTS,
  }
  const windows = new Map<string, number>(Object.entries(LONGER_WINDOWS_MS))
  const { refusals } = httpMetrics(metrics)
  for (const pool of Object.keys(numberOf)) refusals.series({ pool })
  const keys = new WeakMap<FastifyRequest, string>()
  const checks = new Map(
    Object.entries(numberOf).map(([pool, max]) => [
      pool,
      app.createRateLimit({
        max,
        timeWindow: windows.get(pool) ?? WINDOW_MS,
        keyGenerator: (request) => counterOf(pool, keys.get(request) ?? ''),
      }),
    ]),
  )
  async function look(pool: PoolName, key: string, request: FastifyRequest, increment: boolean) {
    const check = checks.get(pool)
    if (!check || numberOf[pool] === 0) return undefined
    keys.set(request, key)
    const counted = await check(request, { increment })
    return counted.isAllowed ? undefined : counted
  }
  function refuse(pool: PoolName, { max, ttlInSeconds }: LimitedCount, reply: FastifyReply): never {
    const reset = Math.max(1, ttlInSeconds)
    setLimitHeaders(reply, max, 0, reset)
    refusals.series({ pool }).add()
    throw new AppError(
      'rate_limited',
      `More than ${max} calls in ${windows.has(pool) ? 'an hour' : 'a minute'}. Try again in ${reset} s.`,
      { headers: { 'retry-after': String(reset) } },
    )
  }
  return {
    async count(pool, key, reply) {
      const counted = await look(pool, key, reply.request, true)
      if (!counted) return
      if (counted.isExceeded) refuse(pool, counted, reply)
      if (pool === 'key-verification') return
      setLimitHeaders(reply, counted.max, counted.remaining, Math.max(1, counted.ttlInSeconds))
    },
    async isFull(pool, key, request) {
      return (await look(pool, key, request, false))?.remaining === 0
    },
    async assertNotFull(pool, key, reply) {
      const counted = await look(pool, key, reply.request, false)
      if (counted?.remaining === 0) refuse(pool, counted, reply)
    },
  }
}

/** A reader of a full address tries again after this time: a stream has no window that ends. */
const STREAM_RETRY_SECONDS = 5
const Streamed = z.object({ stream: z.literal(true) })

/**
 * Bounds the open event streams of a client address in this process: live streams, and answers with
 * `stream: true`. Throws 429 before the route begins any work. A `max` of 0 is no bound. Call it before
 * the routes are registered.
 */
export function limitStreams(
  app: FastifyInstance,
  { max, metrics }: { max: number; metrics: Registry },
): void {
  if (max === 0) return
  const refusals = httpMetrics(metrics).refusals.series({ pool: 'streams' })
  const open = new Map<string, number>()
  const take: preValidationHookHandler = (request, reply, done) => {
    const isStream = request.method === 'GET' || Streamed.safeParse(request.body).success
    if (!isStream) return done()
    const address = clientNetwork(request)
    const count = open.get(address) ?? 0
    if (count >= max) {
      refusals.add()
      setLimitHeaders(reply, max, 0, STREAM_RETRY_SECONDS)
      const refusal = new AppError(
        'rate_limited',
        `This address has ${max} open streams. Close some, or try again in ${STREAM_RETRY_SECONDS} s.`,
        { headers: { 'retry-after': String(STREAM_RETRY_SECONDS) } },
      )
      return done(refusal)
    }
    open.set(address, count + 1)
    onResponseClosed(reply.raw, () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    done()
  }
  app.addHook('onRoute', (route) => {
    const { body } = route.schema ?? {}
    const isLive = route.config?.events !== undefined && route.method === 'GET'
    const mayStream = body instanceof z.ZodObject && 'stream' in body.shape
    if (isLive || mayStream) route.preValidation = [take, ...[route.preValidation ?? []].flat()]
  })
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
