import type { FastifyInstance } from 'fastify'
import { type Registry, collectDefaultMetrics } from 'prom-client'
import {
  CounterFamily,
  HistogramFamily,
  type HistogramSeries,
  REQUEST_BUCKETS,
  metricsOf,
} from '../lib/instruments.ts'

/**
 * Gauges of prom-client that are named like counters; each has a twin by type without the suffix.
 */
const MISNAMED_GAUGES = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]
/** Methods with a label of their own: Node lets callers choose among some thirty. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const NO_ROUTE = 'none'

/** Requests and refusals. */
export const httpMetrics = metricsOf((registry) => ({
  durations: new HistogramFamily(registry, {
    name: 'sohbet_http_request_duration_seconds',
    help: 'Duration of answered requests, to the last byte; of live streams only the refusals',
    labels: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
  }),
  refusals: new CounterFamily(registry, {
    name: 'sohbet_rate_limit_refusals_total',
    help: 'Requests refused with 429, by rate limit pool',
    labels: ['pool'],
  }),
}))

/** Exposes the metrics of the process and of Node, except those with misleading names. */
export function collectRuntimeMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name)
}

/**
 * Observes the duration of each request by its route's pattern. Call before routes are registered. A route
 * resolves its series with its first answer of a status; from then on a request allocates nothing.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const { durations } = httpMetrics(registry)
  app.addHook('onRoute', (route) => {
    const observe = observerOf(durations, route.url)
    const isLive = route.config?.events !== undefined && route.method === 'GET'
    route.onResponse = [route.onResponse ?? []].flat()
    route.onResponse.push((request, reply, done) => {
      const { statusCode } = reply.raw
      if (!isLive || statusCode >= 400) {
        observe(request.method, statusCode, reply.elapsedTime / 1000)
      }
      done()
    })
  })
  const observeUnknown = observerOf(durations, NO_ROUTE)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) {
      observeUnknown(request.method, reply.raw.statusCode, reply.elapsedTime / 1000)
    }
    done()
  })
}

function observerOf(
  durations: HistogramFamily<'method' | 'route' | 'status'>,
  route: string,
): (method: string, status: number, seconds: number) => void {
  const byMethod = new Map<string, Map<number, HistogramSeries>>()

  function resolve(given: string, status: number): HistogramSeries {
    const method = METHODS.has(given) ? given : 'other'
    const series = durations.series({ method, route, status: String(status) })
    const byStatus = byMethod.get(given) ?? new Map<number, HistogramSeries>()
    byMethod.set(given, byStatus.set(status, series))
    return series
  }

  return (method, status, seconds) => {
    const series = byMethod.get(method)?.get(status) ?? resolve(method, status)
    series.observe(seconds)
  }
}
