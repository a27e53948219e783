import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { openLive } from '../../helpers/live.ts'
import {
  METRICS_TOKEN,
  type TestWorkspace,
  addDocument,
  addVisitor,
} from '../../helpers/product.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { NAME, execute, openPromptWorkspace, usePromptProduct } from '../prompts/setup.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/metrics.md')
const OWN = /^sohbet_/
const GUESSES_PER_MINUTE = 20
/** Prometheus' base units, and what it counts without one. */
const UNITS = /_(seconds|bytes|total|info|ratio)$/
const PLAIN_COUNTS =
  /_(depth|open|waiting|connections|in_flight|local|processes|dead_letters|disabled|fds|handles|requests|resources)$/

interface Metric {
  help: string
  type: string
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

/** Reads the text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
function parse(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>()
  let last: Metric | undefined
  for (const line of text.split('\n').filter(Boolean)) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (about === 'HELP') {
      last = { help: rest, type: '', samples: [] }
      metrics.set(name, last)
    } else if (about === 'TYPE' && last) last.type = rest
    else last?.samples.push(sampleOf(line))
  }
  return metrics
}

function sampleOf(line: string): Metric['samples'][number] {
  const [, name = '', inner = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
  const labels = [...inner.matchAll(/([a-z_0-9]+)="((?:[^"\\]|\\.)*)"/gi)]
  return {
    name,
    labels: Object.fromEntries(labels.map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  }
}

/** The rows of the tables in `docs/metrics.md`. */
function readDocumented() {
  const cell = / *((?:\\\||[^|])*?) *\|/g
  return readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [name = '', type = '', labels = '', meaning = ''] = [
        ...line.slice(1).matchAll(cell),
      ].map(([, text = '']) => text)
      const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
      return { name: name.replaceAll('`', ''), type, labels: names.toSorted(), meaning }
    })
}

describeOnBothDatabases('an operator', (database) => {
  // Of the metrics of traces, too; no collector is there to take them.
  const product = usePromptProduct(database, {
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER_ARG: '0' },
  })
  let receiver: Receiver
  let workspace: TestWorkspace
  let visitor: string
  const documented = readDocumented().filter(
    ({ meaning }) =>
      !meaning.startsWith(database.kind === 'sqlite' ? 'Postgres only' : 'SQLite only'),
  )

  const scrape = async () => parse((await product.call('/metrics', { token: METRICS_TOKEN })).text)

  async function valueOf(name: string, labels: Record<string, string> = {}) {
    const metrics = await scrape()
    const found = [...metrics.values()]
      .flatMap(({ samples }) => samples)
      .find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )
    return found?.value
  }

  beforeAll(async () => {
    receiver = await startReceiver()
    workspace = await openPromptWorkspace(product)
    await addDocument(product, workspace, {
      title: 'Iade',
      content: 'Ürünler 14 gün içinde iade edilebilir.',
    })
    await product.call('/api/v1/webhooks/rules-engine/rules', {
      token: workspace.token,
      body: { name: 'Rule', event: 'session.started', url: receiver.url },
    })
    visitor = await addVisitor(product, workspace)
    product.model.act = { text: ['14 gün', ' içinde [1]'], usage: { input: 100, output: 5 } }
    const message = { tenant_id: workspace.tenantId, message: 'Kaç gün içinde iade edebilirim?' }
    const answered = await product.call('/api/v1/chatbot/message', {
      token: visitor,
      body: message,
    })
    product.model.act = { text: ['Hello', ' Ada'], usage: { input: 12, output: 3 } }
    const run = { prompt_id: 'greeting', ...NAME }
    const made = await execute(product, workspace, run)
    await receiver.waitFor(1)
    const delivered = { family: 'chat', outcome: 'delivered' }
    while ((await valueOf('sohbet_delivery_attempts_total', delivered)) !== 1) await sleep(20)
    // A provider that refuses: a metric without a failure has no sample.
    product.model.act = { status: 401 }
    const refused = await execute(product, workspace, run)
    if (answered.status !== 200 || made.status !== 200 || refused.status !== 502) {
      throw new Error(`${answered.text} ${made.text} ${refused.text}`)
    }
  })
  beforeEach(() => {
    product.model.act = { text: ['Hello', ' Ada'], usage: { input: 12, output: 3 } }
  })
  afterAll(() => receiver.close())

  test('finds every metric of the service in the documentation, and the other way round', async () => {
    const metrics = await scrape()
    const names = [...metrics.keys()]
    const listed = documented.map(({ name }) => name)
    expect(names.filter((name) => !listed.includes(name))).toEqual([])
    expect(listed.filter((name) => OWN.test(name) && !names.includes(name))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('finds there the type and the labels of each, and each with a value', async () => {
    const metrics = await scrape()
    for (const { name, type, labels } of documented) {
      const metric = metrics.get(name)
      if (!metric || !OWN.test(name)) continue
      expect([name, metric.type]).toEqual([name, type])
      expect(metric.samples.length, name).toBeGreaterThan(0)
      for (const sample of metric.samples) {
        const own = Object.keys(sample.labels).filter((label) => label !== 'le')
        expect([name, own.toSorted()]).toEqual([name, labels])
        expect(sample.value, name).not.toBeNaN()
      }
    }
  })

  test("reads names after Prometheus' conventions", async () => {
    for (const [name, { help, type, samples }] of await scrape()) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(help, name).not.toBe('')
      expect(['counter', 'gauge', 'histogram'], name).toContain(type)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      expect(name, 'no abbreviated or scaled unit').not.toMatch(
        /_(ms|millis\w*|minutes|hours|kb|mb)(_|$)/,
      )
      expect(UNITS.test(name) || PLAIN_COUNTS.test(name), `${name} names its unit`).toBe(true)
      expect(name).toMatch(type === 'histogram' ? /_(seconds|bytes)$/ : /(?<!_(count|sum|bucket))$/)
      for (const sample of samples)
        expect(sample.name.replace(/_(count|sum|bucket)$/, '')).toBe(name)
    }
  })

  test('reads histograms whose buckets add up', async () => {
    for (const [name, { type, samples }] of await scrape()) {
      if (type !== 'histogram') continue
      const groups = Map.groupBy(samples, ({ labels }) =>
        JSON.stringify({ ...labels, le: undefined }),
      )
      for (const group of groups.values()) {
        const buckets = group.filter((sample) => sample.name.endsWith('_bucket'))
        const counts = buckets.map(({ value }) => value)
        expect(counts, name).toEqual(counts.toSorted((one, other) => one - other))
        expect(buckets.at(-1)?.labels.le).toBe('+Inf')
        expect(group.find((sample) => sample.name.endsWith('_count'))?.value).toBe(counts.at(-1))
      }
    }
  })

  test('sees routes by their pattern, and no workspace, tenant or id', async () => {
    const path = `/api/v1/tenants/${workspace.tenantId}`
    expect((await product.call(path, { token: workspace.token })).status).toBe(200)
    expect((await product.call(`/nowhere/${workspace.tenantId}`)).status).toBe(404)
    const { text } = await product.call('/metrics', { token: METRICS_TOKEN })
    expect(text).not.toContain(workspace.tenantId)
    expect(text).not.toContain(workspace.id)
    const count = 'sohbet_http_request_duration_seconds_count'
    const route = '/api/v1/tenants/:tenant_id'
    expect(await valueOf(count, { method: 'GET', route, status: '200' })).toBe(1)
    expect(await valueOf(count, { method: 'GET', route: 'none', status: '404' })).toBe(1)
  })

  test('sees what models were asked, what that took and what it cost', async () => {
    const labels = { provider: 'openai-compatible', model: 'test-model' }
    expect(await valueOf('sohbet_model_call_duration_seconds_count', labels)).toBe(2)
    expect(await valueOf('sohbet_model_time_to_first_byte_seconds_count', labels)).toBe(2)
    const tokens = 'sohbet_model_tokens_total'
    expect(await valueOf(tokens, { ...labels, direction: 'input' })).toBe(112)
    expect(await valueOf(tokens, { ...labels, direction: 'output' })).toBe(8)
    expect(await valueOf('sohbet_model_credits_total', labels)).toBe(9)
    expect(await valueOf('sohbet_credits_settled_total')).toBe(9)
    expect(await valueOf('sohbet_credit_holds_open')).toBe(0)
    const failures = 'sohbet_model_failures_total'
    expect(await valueOf(failures, { ...labels, code: 'http_401' })).toBe(1)
  })

  test('sees a model that hangs up in the middle of its answer as a failure', async () => {
    product.model.act = { text: ['Hel', 'lo'], cutAfter: 1 }
    await execute(product, workspace, { prompt_id: 'greeting', ...NAME, stream: true })
    const labels = { provider: 'openai-compatible', model: 'test-model' }
    expect(await valueOf('sohbet_model_failures_total', { ...labels, code: 'failed' })).toBe(1)
    expect(await valueOf('sohbet_model_call_duration_seconds_count', labels)).toBe(2)
  })

  test('sees statements, the codes of those that failed, and the size of indexes', async () => {
    const count = 'sohbet_db_query_duration_seconds_count'
    const before = (await valueOf(count)) ?? 0
    const code = database.kind === 'sqlite' ? 'SQLITE_CONSTRAINT_PRIMARYKEY' : '23505'
    const failed = (await valueOf('sohbet_db_errors_total', { code })) ?? 0
    const again = sql`insert into migrations (name, applied_at) values ('platform-001', 0)`
    await expect(again.execute(product.ctx.db)).rejects.toThrow(/unique/i)
    expect(await valueOf('sohbet_db_errors_total', { code })).toBe(failed + 1)
    expect(await valueOf(count)).toBeGreaterThan(before)
    expect(await valueOf('sohbet_search_indexes_open')).toBe(1)
    expect(await valueOf('sohbet_search_indexes_bytes')).toBeGreaterThan(0)
  })

  test('sees open streams, and not how long they stay', async () => {
    const open = 'sohbet_event_streams_open'
    const live = await openLive(product.url, '/api/v1/live', { token: workspace.token })
    await live.waitFor(({ name }) => name === 'ready')
    expect(await valueOf(open, { kind: 'live', reader: 'member' })).toBe(1)
    live.close()
    await expect.poll(() => valueOf(open, { kind: 'live', reader: 'member' })).toBe(0)
    const route = { route: '/api/v1/live', status: '200' }
    expect(await valueOf('sohbet_http_request_duration_seconds_count', route)).toBeUndefined()
  })

  test('sees which pool refused, and which keys were known already', async () => {
    const made = await product.call<{ key: string }>('/api/v1/api-keys', {
      token: workspace.token,
      body: { name: 'CRM' },
    })
    for (let call = 0; call < 3; call += 1) {
      await product.call('/api/v1/tenants', { token: made.body.key })
    }
    const cache = 'sohbet_cache_requests_total'
    expect(await valueOf(cache, { cache: 'api_key', result: 'miss' })).toBe(1)
    expect(await valueOf(cache, { cache: 'api_key', result: 'hit' })).toBe(2)
    expect(await valueOf(cache, { cache: 'search_index', result: 'miss' })).toBe(1)
    const headers = { 'x-api-key': 'a guess' }
    for (let guess = 0; guess <= GUESSES_PER_MINUTE; guess += 1) {
      await product.call('/api/v1/webhooks/rules-engine/rules', { headers })
    }
    expect(await valueOf('sohbet_rate_limit_refusals_total', { pool: 'wrong-key' })).toBe(1)
  })
})
