import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { TracingSettings } from '../config.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import type { App } from '../http/app-type.ts'
import { STATEMENT_CHANNEL, type StatementMessage } from '../storage/statement-channel.ts'
import { OtlpExporter } from './otlp-exporter.ts'
import { SPAN_KIND, type Span, Tracer } from './tracer.ts'

/** A supervisor and a scraper ask every few seconds, and nobody looks for their traces. */
const UNTRACED = /^\/(?:health\/|metrics)/
/** Text and times that stand in a statement; nearly all values are parameters. */
const LITERAL = /'(?:[^']|'')*'|\b\d{6,}\b/g
const FIRST_WORD = /^\s*(\w+)/
const MIN_ERROR_STATUS = 500

/** Traces of this process: requests, their statements and calls of other services, and deliveries. */
export interface Tracing {
  /** Traces the requests of an app. Call it before any other hook is added. */
  traceRequests(app: App): void
  /** Returns a sender whose attempts are traced. */
  traceDeliveries(sender: Sender): Sender
  /** Sends what is left. */
  close(): Promise<void>
}

/** Starts to trace; stays without effect on the answers, whatever the collector does. */
export function startTracing(
  { endpoint, headers, share, service }: TracingSettings,
  process: { version: string; log: FastifyBaseLogger; metrics: Registry },
): Tracing {
  const { version, log, metrics } = process
  const resource = { 'service.name': service, 'service.version': version }
  const exporter = new OtlpExporter({ endpoint, headers, resource, log, metrics })
  // A full batch is sent at once: the export belongs to no trace.
  const tracer = new Tracer((span) => tracer.run(undefined, () => exporter.add(span)), share)
  const stops = [traceStatements(tracer), traceCalls(tracer)]
  return {
    traceRequests: (app) => traceRequests(app, tracer),
    traceDeliveries: (sender) => traceDeliveries(sender, tracer),
    async close() {
      for (const stop of stops) stop()
      await exporter.close()
    },
  }
}

/** Traces requests by their route's pattern: signatures and links of visitors are parts of paths. */
function traceRequests(app: App, tracer: Tracer): void {
  const spans = new WeakMap<object, Span>()
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions, headers } = request
    const route = routeOptions.url ?? 'none'
    if (UNTRACED.test(route)) return done()
    const { traceparent } = headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    const span = tracer.startTrace(`${method} ${route}`, SPAN_KIND.server, parent)
    if (!span) return done()
    span.set({
      'http.request.method': method,
      'http.route': route,
      'sohbet.request_id': request.id,
    })
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { caller } = request
      const { statusCode } = reply.raw
      span.set({ 'http.response.status_code': statusCode })
      if (caller && 'workspaceId' in caller) span.set({ 'sohbet.workspace': caller.workspaceId })
      if (statusCode >= MIN_ERROR_STATUS) span.fail(String(statusCode))
      span.end()
    })
    tracer.run(span, done)
  })
  // The body arrives in events of the connection, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => tracer.run(spans.get(request), done))
}

/** Traces the statements of traced requests, without their values. */
function traceStatements(tracer: Tracer): () => void {
  const channel = tracingChannel<StatementMessage, StatementMessage>(STATEMENT_CHANNEL)
  const spans = new WeakMap<object, Span>()
  const listeners = {
    start(message: StatementMessage) {
      const operation = FIRST_WORD.exec(message.text)?.[1]?.toUpperCase() ?? 'STATEMENT'
      const span = tracer.startSpan(operation, SPAN_KIND.client)
      span?.set({
        'db.system.name': message.system,
        'db.operation.name': operation,
        'db.query.text': message.text.replaceAll(LITERAL, '?').replaceAll(/\s+/g, ' ').trim(),
      })
      if (span) spans.set(message, span)
    },
    end: () => undefined,
    asyncStart: () => undefined,
    error: (message: StatementMessage) => spans.get(message)?.fail('failed'),
    asyncEnd: (message: StatementMessage) => spans.get(message)?.end(),
  }
  channel.subscribe(listeners)
  return () => channel.unsubscribe(listeners)
}

/** What `undici` tells of a call. */
interface Call {
  origin?: unknown
  method: string
  addHeader: (name: string, value: string) => unknown
}

/**
 * Traces calls of other services, such as models, within traced requests, and tells them the trace. Of
 * their addresses the host alone: messengers and owners' services have keys in their paths.
 */
function traceCalls(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>()
  const spanOf = ({ request }: { request: object }) => spans.get(request)
  const listeners: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      if (!isCall(message)) return
      const { request } = message
      const span = tracer.startSpan(request.method, SPAN_KIND.client)
      if (!span) return
      const { host } = new URL(String(request.origin))
      span.rename(`${request.method} ${host}`)
      span.set({ 'http.request.method': request.method, 'server.address': host })
      request.addHeader('traceparent', span.traceparent)
      spans.set(request, span)
    },
    'undici:request:headers': (message) => {
      if (!isCall(message)) return
      const { statusCode } = message.response ?? {}
      if (statusCode === undefined) return
      spanOf(message)?.set({ 'http.response.status_code': statusCode })
      if (statusCode >= 400) spanOf(message)?.fail(String(statusCode))
    },
    'undici:request:trailers': (message) => isCall(message) && spanOf(message)?.end(),
    'undici:request:error': (message) => {
      if (!isCall(message)) return
      spanOf(message)?.fail('connection')
      spanOf(message)?.end()
    },
  }
  for (const [name, listen] of Object.entries(listeners)) subscribe(name, listen)
  return () => {
    for (const [name, listen] of Object.entries(listeners)) unsubscribe(name, listen)
  }
}

function isCall(
  message: unknown,
): message is { request: Call; response?: { statusCode?: number } } {
  return typeof message === 'object' && message !== null && 'request' in message
}

/** Traces attempts by the host of the webhook: the path may be its only secret. */
function traceDeliveries(sender: Sender, tracer: Tracer): Sender {
  return {
    async send(url, sent, secrets) {
      const span = tracer.startTrace('webhook delivery', SPAN_KIND.client)
      if (!span) return sender.send(url, sent, secrets)
      const { host } = new URL(url)
      span.set({
        'server.address': host,
        'sohbet.event': sent.event,
        'sohbet.delivery': sent.id,
      })
      const { traceparent } = span
      const result = await tracer.run(span, () => sender.send(url, sent, secrets, { traceparent }))
      if (result.status !== null) span.set({ 'http.response.status_code': result.status })
      if (result.error !== null) span.fail(result.error)
      span.end()
      return result
    },
    close: () => sender.close(),
  }
}
