import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { ModelMeter, ModelMetrics, modelMetrics } from '../../../server/models/metrics.ts'
import { type GeneratePiece, type Model, ModelFailure } from '../../../server/models/model.ts'

type Next = IteratorResult<GeneratePiece, void>

const model: Model = {
  name: 'openai-compatible',
  async *generate() {},
  generateImages: () => Promise.reject(new Error('draws nothing')),
}

test('many names of models share one label, however many there are', () => {
  const metrics = new ModelMetrics(new Registry())
  const own = metrics.of('anthropic', 'own')
  const labels = new Set<string>()
  for (let made = 0; made < 1_000; made += 1) labels.add(metrics.of('x', `model-${made}`).model)
  labels.add(metrics.of('x', 'long'.repeat(100)).model)
  expect(labels).toContain('other')
  expect(labels.size).toBe(50)
  expect(metrics.of('anthropic', 'own')).toBe(own)
})

test("statuses of providers beyond the usual ones share their hundred's code", async () => {
  const registry = new Registry()
  const metrics = modelMetrics(registry)
  const series = metrics.of('anthropic', 'own')
  for (const status of [429, 451, 529, 599]) {
    metrics.failed(series, new ModelFailure('failed', 'no', { status }))
  }
  metrics.failed(series, new ModelFailure('timeout', 'no'))
  metrics.failed(series, new TypeError('a mistake of ours'))
  const text = await registry.getSingleMetricAsString('sohbet_model_failures_total')
  const codes = [...text.matchAll(/code="(\w+)"/g)].map(([, code]) => code)
  expect(codes).toEqual(['http_429', 'http_4xx', 'http_529', 'http_5xx', 'timeout', 'internal'])
})

test('a call that the caller gave up counts neither as answered nor as failed', async () => {
  const registry = new Registry()
  const meter = new ModelMeter(registry)
  const call = meter.begin(model, 'gpt')
  const first: Next = { done: false, value: { delta: 'Hel' } }
  call.began(first)
  const end: Promise<Next> = Promise.resolve({ done: true, value: undefined })
  await call.follow(end)
  const text = await registry.metrics()
  const labels = '{provider="openai-compatible",model="gpt"}'
  const swapped = '{model="gpt",provider="openai-compatible"}'
  const count = (name: string) =>
    [labels, swapped].some((each) => text.includes(`${name}_count${each} 1`))
  expect(count('sohbet_model_time_to_first_byte_seconds')).toBe(true)
  expect(count('sohbet_model_call_duration_seconds')).toBe(false)
  expect(text).not.toContain('code=')
})
