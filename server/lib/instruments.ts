import { Counter, Histogram, type Registry } from 'prom-client'

/** Upper bounds in seconds, for requests that a person waits for. */
export const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Definition<Label extends string> {
  name: string
  help: string
  labels?: readonly Label[]
}

/** One series of a counter. */
export class CounterSeries {
  value = 0

  add(amount = 1): void {
    this.value += amount
  }
}

/**
 * One series of a histogram. `observe` is a few nanoseconds: prom-client's own checks and hashes the
 * labels at each observation, even through a child that is bound to them.
 */
export class HistogramSeries {
  /** Ascending; the last one is infinite. */
  readonly bounds: readonly number[]
  /** Observations per bucket, not cumulative. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = [...bounds, Infinity]
    this.counts = new Float64Array(this.bounds.length)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while ((bounds[at] ?? Infinity) < value) at += 1
    counts[at] = (counts[at] ?? 0) + 1
    this.sum += value
  }
}

/** The series of one metric by the values of its labels. */
class Family<Label extends string, Series> {
  readonly #labels: readonly Label[]
  readonly #create: () => Series
  readonly #series = new Map<string, { labels: Record<Label, string>; series: Series }>()

  constructor(labels: readonly Label[], create: () => Series) {
    this.#labels = labels
    this.#create = create
  }

  all(): Iterable<{ labels: Record<Label, string>; series: Series }> {
    return this.#series.values()
  }

  get(labels: Record<Label, string>): Series {
    const known = this.#series.get(this.#keyOf(labels))
    return known ? known.series : this.add(labels, this.#create())
  }

  add(labels: Record<Label, string>, series: Series): Series {
    this.#series.set(this.#keyOf(labels), { labels, series })
    return series
  }

  #keyOf(labels: Record<Label, string>): string {
    return this.#labels.map((label) => labels[label]).join('\0')
  }
}

/** A counter whose series are resolved once and then cost one addition. */
export class CounterFamily<Label extends string = never> {
  readonly #family: Family<Label, CounterSeries>

  constructor(registry: Registry, { name, help, labels = [] }: Definition<Label>) {
    const family = new Family(labels, () => new CounterSeries())
    this.#family = family
    const counter: Counter = new Counter({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect() {
        counter.reset()
        for (const one of family.all()) counter.inc(one.labels, one.series.value)
      },
    })
  }

  /** Returns the series with these labels, the same one each time. */
  series(labels: Record<Label, string>): CounterSeries {
    return this.#family.get(labels)
  }

  /** Exposes a series that something older than the registry counts in. */
  attach(labels: Record<Label, string>, series: CounterSeries): void {
    this.#family.add(labels, series)
  }
}

/** A histogram whose series are resolved once. */
export class HistogramFamily<Label extends string = never> {
  readonly #family: Family<Label, HistogramSeries>

  constructor(
    registry: Registry,
    { name, help, labels = [], buckets }: Definition<Label> & { buckets: readonly number[] },
  ) {
    this.#family = new Family(labels, () => new HistogramSeries(buckets))
    registry.registerMetric(new SeriesHistogram({ name, help, labels }, this.#family))
  }

  /** Returns the series with these labels, the same one each time. */
  series(labels: Record<Label, string>): HistogramSeries {
    return this.#family.get(labels)
  }

  /** Exposes a series that something older than the registry observes in. */
  attach(labels: Record<Label, string>, series: HistogramSeries): void {
    this.#family.add(labels, series)
  }
}

/** A histogram of prom-client whose values are collected from elsewhere at each scrape. */
class SeriesHistogram<Label extends string> extends Histogram {
  readonly #name: string
  readonly #family: Family<Label, HistogramSeries>
  /** An empty one, for all but the values: the inherited `get` would come back here for them. */
  readonly #empty: Histogram

  constructor(
    { name, help, labels = [] }: Definition<Label>,
    family: Family<Label, HistogramSeries>,
  ) {
    const configuration = { name, help, labelNames: labels, registers: [] }
    super(configuration)
    this.#empty = new Histogram(configuration)
    this.#name = name
    this.#family = family
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = [...this.#family.all()].flatMap(({ labels, series }) => {
      let count = 0
      const buckets = series.bounds.map((bound, at) => {
        count += series.counts[at] ?? 0
        const le = bound === Infinity ? '+Inf' : bound
        return { metricName: `${this.#name}_bucket`, labels: { ...labels, le }, value: count }
      })
      return [
        ...buckets,
        { metricName: `${this.#name}_sum`, labels, value: series.sum },
        { metricName: `${this.#name}_count`, labels, value: count },
      ]
    })
    return { ...(await this.#empty.get()), values }
  }

  /** The registry prefers this method to `get` for the text format. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get()
  }
}

/** Defines a slice's metrics once per registry, with their first use. */
export function metricsOf<Metrics>(
  define: (registry: Registry) => Metrics,
): (registry: Registry) => Metrics {
  const defined = new WeakMap<Registry, Metrics>()
  return (registry) => {
    const known = defined.get(registry)
    if (known) return known
    const metrics = define(registry)
    defined.set(registry, metrics)
    return metrics
  }
}

const cacheRequests = metricsOf(
  (registry) =>
    new CounterFamily(registry, {
      name: 'sohbet_cache_requests_total',
      help: 'Lookups in a cache of this process, by cache and result',
      labels: ['cache', 'result'],
    }),
)

/** Hits and misses of a cache. */
export class CacheCounts {
  readonly hits = new CounterSeries()
  readonly misses = new CounterSeries()

  /** Exposes both under the cache's name. */
  expose(registry: Registry, cache: 'read' | 'search_index' | 'api_key'): this {
    cacheRequests(registry).attach({ cache, result: 'hit' }, this.hits)
    cacheRequests(registry).attach({ cache, result: 'miss' }, this.misses)
    return this
  }
}
