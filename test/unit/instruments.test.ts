import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { CounterFamily, HistogramFamily, metricsOf } from '../../server/lib/instruments.ts'

test('a histogram shows its buckets, which add up, its sum and its count', async () => {
  const registry = new Registry()
  const durations = new HistogramFamily(registry, {
    name: 'wait_seconds',
    help: 'Waits',
    labels: ['kind'],
    buckets: [0.1, 1],
  })
  const series = durations.series({ kind: 'a' })
  for (const value of [0.05, 0.1, 0.5, 7]) series.observe(value)
  expect(durations.series({ kind: 'a' })).toBe(series)
  expect(await registry.metrics()).toBe(
    [
      '# HELP wait_seconds Waits',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{kind="a",le="0.1"} 2',
      'wait_seconds_bucket{kind="a",le="1"} 3',
      'wait_seconds_bucket{kind="a",le="+Inf"} 4',
      'wait_seconds_sum{kind="a"} 7.65',
      'wait_seconds_count{kind="a"} 4',
      '',
    ].join('\n'),
  )
})

test('a counter without labels shows 0 before anything was counted', async () => {
  const registry = new Registry()
  const counter = new CounterFamily(registry, { name: 'runs_total', help: 'Runs' })
  counter.series({}).add(0)
  expect(await registry.metrics()).toContain('\nruns_total 0\n')
  counter.series({}).add(2.5)
  expect(await registry.metrics()).toContain('\nruns_total 2.5\n')
})

test('metrics of a slice are defined once in each registry', () => {
  const metrics = metricsOf(
    (registry) => new CounterFamily(registry, { name: 'a_total', help: 'a' }),
  )
  const [one, other] = [new Registry(), new Registry()]
  expect(metrics(one)).toBe(metrics(one))
  expect(metrics(other)).not.toBe(metrics(one))
})
