import type { Registry } from 'prom-client'
import {
  CounterFamily,
  CounterSeries,
  HistogramFamily,
  HistogramSeries,
} from '../lib/instruments.ts'

/** Upper bounds in seconds: from a small read of the embedded database to the longest allowed. */
const BUCKETS = [0.00005, 0.00025, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30]
/** Codes of Postgres, of SQLite and of the system; whatever else a driver calls a code is `other`. */
const CODE = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]+|E[A-Z]+)$/
const OTHER = 'other'
/** Counted from the start, so that their first occurrence is an increase. */
const EXPECTED_CODES = {
  postgres: ['40001', '40P01', '53100', '53300', '55P03', '57014', '57P01', 'ECONNREFUSED', OTHER],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', OTHER],
} as const

/** How long statements take and how they fail, measured from before the registry exists. */
export class StatementMeter {
  readonly durations = new HistogramSeries(BUCKETS)
  readonly #errors = new Map<string, CounterSeries>()
  #attach: (code: string, series: CounterSeries) => void = () => undefined

  constructor(dialect: keyof typeof EXPECTED_CODES) {
    for (const code of EXPECTED_CODES[dialect]) this.#errors.set(code, new CounterSeries())
  }

  /** Counts a failed statement, or an attempt to connect, by the code of its error. */
  failed(error: unknown): void {
    const code = codeOf(error)
    const known = this.#errors.get(code)
    const series = known ?? new CounterSeries()
    if (!known) {
      this.#errors.set(code, series)
      this.#attach(code, series)
    }
    series.add()
  }

  expose(registry: Registry): void {
    new HistogramFamily(registry, {
      name: 'sohbet_db_query_duration_seconds',
      help: 'Time from sending a statement to the database to its result; without waits for a connection or the writer',
      buckets: BUCKETS,
    }).attach({}, this.durations)
    const errors = new CounterFamily(registry, {
      name: 'sohbet_db_errors_total',
      help: 'Failed statements and connections, by the code of Postgres, SQLite or the system',
      labels: ['code'],
    })
    this.#attach = (code, series) => errors.attach({ code }, series)
    for (const [code, series] of this.#errors) this.#attach(code, series)
  }
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && CODE.test(code) ? code : OTHER
}
