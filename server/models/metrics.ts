import type { Registry } from 'prom-client'
import {
  CounterFamily,
  type CounterSeries,
  HistogramFamily,
  type HistogramSeries,
  metricsOf,
} from '../lib/instruments.ts'
import { type Milli, toCredits } from '../lib/money.ts'
import { type GeneratePiece, type Model, ModelFailure, type Usage } from './model.ts'

/** Upper bounds in seconds: from an embedded answer to a long one of a slow provider. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120]
/** Workspaces name models as they like: those beyond this many share a label. */
const MAX_MODEL_LABELS = 50
const MAX_LABEL_LENGTH = 80
const OTHER = 'other'
/** Statuses with a code of their own; a provider can answer with any number. */
const STATUSES = new Set([
  400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529,
])

/** The series of one model. */
interface ModelSeries {
  provider: string
  model: string
  duration: HistogramSeries
  firstByte: HistogramSeries
  inputTokens: CounterSeries
  outputTokens: CounterSeries
  credits: CounterSeries
}

/** Calls of models, by provider and configured model. */
export class ModelMetrics {
  readonly #durations: HistogramFamily<'model' | 'provider'>
  readonly #firstBytes: HistogramFamily<'model' | 'provider'>
  readonly #tokens: CounterFamily<'direction' | 'model' | 'provider'>
  readonly #credits: CounterFamily<'model' | 'provider'>
  readonly #failures: CounterFamily<'code' | 'model' | 'provider'>
  readonly #series = new Map<string, Map<string, ModelSeries>>()
  readonly #names = new Set<string>()

  constructor(registry: Registry) {
    const labels = ['model', 'provider'] as const
    this.#durations = new HistogramFamily(registry, {
      name: 'sohbet_model_call_duration_seconds',
      help: 'Duration of model calls that were answered to the end, by provider and model',
      labels,
      buckets: BUCKETS,
    })
    this.#firstBytes = new HistogramFamily(registry, {
      name: 'sohbet_model_time_to_first_byte_seconds',
      help: 'Time from a model call to the first piece of its answer, by provider and model',
      labels,
      buckets: BUCKETS,
    })
    this.#tokens = new CounterFamily(registry, {
      name: 'sohbet_model_tokens_total',
      help: 'Tokens of answered model calls, by provider, model and direction: input or output',
      labels: ['direction', ...labels],
    })
    this.#credits = new CounterFamily(registry, {
      name: 'sohbet_model_credits_total',
      help: 'Credits charged for what models answered, by provider and model',
      labels,
    })
    this.#failures = new CounterFamily(registry, {
      name: 'sohbet_model_failures_total',
      help: 'Failed model calls, each try counted, by provider, model and code',
      labels: ['code', ...labels],
    })
  }

  /** Returns the series of a model, under the label that many unknown ones share when need be. */
  of(provider: string, name: string): ModelSeries {
    const models = this.#series.get(provider) ?? new Map<string, ModelSeries>()
    this.#series.set(provider, models)
    const model = this.#labelOf(name)
    const known = models.get(model)
    if (known) return known
    const labels = { provider, model }
    const series = {
      ...labels,
      duration: this.#durations.series(labels),
      firstByte: this.#firstBytes.series(labels),
      inputTokens: this.#tokens.series({ ...labels, direction: 'input' }),
      outputTokens: this.#tokens.series({ ...labels, direction: 'output' }),
      credits: this.#credits.series(labels),
    }
    models.set(model, series)
    return series
  }

  failed({ provider, model }: ModelSeries, error: unknown): void {
    this.#failures.series({ provider, model, code: codeOf(error) }).add()
  }

  #labelOf(name: string): string {
    if (this.#names.has(name)) return name
    if (this.#names.size >= MAX_MODEL_LABELS || name.length > MAX_LABEL_LENGTH) return OTHER
    this.#names.add(name)
    return name
  }
}

export const modelMetrics = metricsOf((registry) => new ModelMetrics(registry))

/** Measures the calls that one answer takes, and charges its price to the model that gave it. */
export class ModelMeter {
  readonly #metrics: ModelMetrics
  #answering: ModelSeries | undefined

  constructor(registry: Registry) {
    this.#metrics = modelMetrics(registry)
  }

  /** Starts to measure one call. `name` is the model that is asked for; its default when absent. */
  begin(model: Model, name: string | undefined): MeteredCall {
    this.#answering = this.#metrics.of(model.name, name ?? model.name)
    return new MeteredCall(this.#metrics, this.#answering)
  }

  /** Counts the price of the answer. */
  charge(cost: Milli): void {
    this.#answering?.credits.add(toCredits(cost))
  }
}

/** One call under measurement. A call that the caller gave up counts neither way. */
export class MeteredCall {
  readonly #metrics: ModelMetrics
  readonly #series: ModelSeries
  readonly #startedAt = performance.now()
  readonly #see = (next: IteratorResult<GeneratePiece, void>): void => {
    if (next.done !== true && 'end' in next.value) this.answered(next.value.end.usage)
  }
  readonly #fail = (error: unknown): void => this.failed(error)

  constructor(metrics: ModelMetrics, series: ModelSeries) {
    this.#metrics = metrics
    this.#series = series
  }

  /** The first piece has come. */
  began(first: IteratorResult<GeneratePiece, void>): void {
    if (first.done !== true) this.#series.firstByte.observe(this.#seconds())
    this.#see(first)
  }

  /** Looks at a further piece and returns it as it is: the reader does not wait for that. */
  follow<Next extends Promise<IteratorResult<GeneratePiece, void>>>(next: Next): Next {
    next.then(this.#see, this.#fail)
    return next
  }

  answered({ inputTokens, outputTokens }: Usage): void {
    this.#series.duration.observe(this.#seconds())
    this.#series.inputTokens.add(inputTokens)
    this.#series.outputTokens.add(outputTokens)
  }

  failed(error: unknown): void {
    this.#metrics.failed(this.#series, error)
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000
  }
}

/** A label from a closed list: the provider's status, else the kind of failure. */
function codeOf(error: unknown): string {
  if (!(error instanceof ModelFailure)) return 'internal'
  const { kind, status } = error
  if (status === undefined) return kind
  return STATUSES.has(status) ? `http_${status}` : `http_${Math.floor(status / 100)}xx`
}
