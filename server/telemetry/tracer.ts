import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export type AttributeValue = string | number | boolean

/** The kinds of spans by their numbers in OTLP. */
export const SPAN_KIND = { server: 2, client: 3 } as const

/** A finished span. */
export interface SpanData {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: number
  /** Milliseconds since 1970, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Record<string, AttributeValue>
  hasFailed: boolean
}

/** W3C Trace Context: version, trace id, parent id and flags. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/
const SAMPLED = 1

/** Its last bytes decide by chance, so that services which share a trace id decide alike. */
const TRACE_ID_BYTES = 16

interface Parent {
  traceId: string
  /** None for the first span of a trace. */
  spanId: string | undefined
}

/** A span that has begun. */
export class Span {
  readonly #finish: (span: SpanData) => void
  readonly #data: Omit<SpanData, 'endedAt'>
  #isOver = false

  constructor(data: Omit<SpanData, 'endedAt'>, finish: (span: SpanData) => void) {
    this.#data = data
    this.#finish = finish
  }

  get parent(): Parent {
    return this.#data
  }

  /** The header that makes a called service part of the trace. */
  get traceparent(): string {
    return `00-${this.#data.traceId}-${this.#data.spanId}-01`
  }

  set(attributes: Record<string, AttributeValue>): void {
    Object.assign(this.#data.attributes, attributes)
  }

  rename(name: string): void {
    this.#data.name = name
  }

  fail(reason: string): void {
    this.#data.hasFailed = true
    this.#data.attributes['error.type'] = reason
  }

  /** Ends the span; later calls do nothing. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish({ ...this.#data, endedAt: nowMs() })
  }
}

/** Begins spans, and knows the span within which the running code was called. */
export class Tracer {
  readonly #spans = new AsyncLocalStorage<Span | undefined>()
  readonly #finish: (span: SpanData) => void
  readonly #share: number

  /** @param share of the traces that begin here, between 0 and 1 */
  constructor(finish: (span: SpanData) => void, share: number) {
    this.#finish = finish
    this.#share = share
  }

  /** The span of the running code; `undefined` outside of a recorded trace. */
  get current(): Span | undefined {
    return this.#spans.getStore()
  }

  /**
   * Begins a trace, or continues the caller's. Returns `undefined` for a trace that is not recorded: the
   * caller decides, or else chance.
   */
  startTrace(name: string, kind: number, traceparent?: string): Span | undefined {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
    if (traceId !== undefined && spanId !== undefined && flags !== undefined) {
      const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED
      return isSampled ? this.#start(name, kind, { traceId, spanId }) : undefined
    }
    const random = randomBytes(TRACE_ID_BYTES)
    const isChosen = random.readUInt32BE(TRACE_ID_BYTES - 4) < this.#share * 2 ** 32
    const chosen = { traceId: random.toString('hex'), spanId: undefined }
    return isChosen ? this.#start(name, kind, chosen) : undefined
  }

  /** Begins a span within the running one; `undefined` outside of a recorded trace. */
  startSpan(name: string, kind: number): Span | undefined {
    const { current } = this
    return current && this.#start(name, kind, current.parent)
  }

  /** Runs work within a span. */
  run<Result>(span: Span | undefined, work: () => Result): Result {
    return this.#spans.run(span, work)
  }

  #start(name: string, kind: number, parent: Parent): Span {
    const data = {
      traceId: parent.traceId,
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: parent.spanId,
      name,
      kind,
      startedAt: nowMs(),
      attributes: {},
      hasFailed: false,
    }
    return new Span(data, this.#finish)
  }
}

/** Durations are shorter than the milliseconds of the process's clock. */
function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
