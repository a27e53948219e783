import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import { MINUTE_MS } from '../lib/durations.ts'
import { CounterFamily, type CounterSeries, metricsOf } from '../lib/instruments.ts'
import { settleWithin } from '../lib/timeout.ts'
import type { AttributeValue, SpanData } from './tracer.ts'

const MAX_QUEUED = 4_096
const MAX_BATCH_SIZE = 512
const INTERVAL_MS = 2_000
const REQUEST_TIMEOUT_MS = 10_000
const LAST_FLUSH_TIMEOUT_MS = 1_000
const STATUS_ERROR = 2

const telemetryMetrics = metricsOf((registry) => ({
  dropped: new CounterFamily(registry, {
    name: 'sohbet_trace_spans_dropped_total',
    help: 'Spans that the collector did not get, by reason: the queue was full, or an export failed',
    labels: ['reason'],
  }),
}))

interface ExporterOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** Attributes of the process. */
  resource: Readonly<Record<string, AttributeValue>>
  log: FastifyBaseLogger
  metrics: Registry
}

/**
 * Sends spans to an OpenTelemetry collector by OTLP/HTTP in JSON, in batches beside the requests. The queue is
 * bounded: without a collector spans are dropped, and nothing waits.
 */
export class OtlpExporter {
  readonly #options: ExporterOptions
  readonly #url: string
  readonly #full: CounterSeries
  readonly #failed: CounterSeries
  #queue: SpanData[] = []
  #sending: Promise<void> | undefined
  #loggedAt = -Infinity
  readonly #timer: NodeJS.Timeout

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
    const { dropped } = telemetryMetrics(options.metrics)
    this.#full = dropped.series({ reason: 'queue_full' })
    this.#failed = dropped.series({ reason: 'export_failed' })
    this.#timer = setInterval(() => void this.flush(), INTERVAL_MS).unref()
  }

  add(span: SpanData): void {
    if (this.#queue.length >= MAX_QUEUED) {
      this.#full.add()
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= MAX_BATCH_SIZE) void this.flush()
  }

  /** Sends what is queued, one batch after the other. Never rejects. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  /** Sends what is queued, if the collector takes it soon. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await settleWithin(LAST_FLUSH_TIMEOUT_MS, [this.flush()])
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_BATCH_SIZE)
      try {
        await this.#send(batch)
      } catch (error) {
        this.#failed.add(batch.length)
        this.#logOnce(error)
      }
    }
  }

  async #send(spans: readonly SpanData[]): Promise<void> {
    const { headers, resource } = this.#options
    const scope = { name: 'sohbet' }
    const body = {
      resourceSpans: [
        {
          resource: { attributes: attributesOf(resource) },
          scopeSpans: [{ scope, spans: spans.map(encodeSpan) }],
        },
      ],
    }
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The collector answered ${response.status}.`)
  }

  #logOnce(error: unknown): void {
    if (performance.now() - this.#loggedAt < MINUTE_MS) return
    this.#loggedAt = performance.now()
    this.#options.log.warn({ event: 'telemetry.export_failed', err: error }, 'trace export failed')
  }
}

/** Encodes a span for OTLP in JSON: ids in hexadecimal, 64-bit numbers as text. */
function encodeSpan(span: SpanData) {
  const { traceId, spanId, parentSpanId, name, kind, startedAt, endedAt } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(span.attributes),
    status: span.hasFailed ? { code: STATUS_ERROR } : {},
  }
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function attributesOf(values: Readonly<Record<string, AttributeValue>>) {
  return Object.entries(values).map(([key, value]) => ({ key, value: encodeValue(value) }))
}

function encodeValue(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
