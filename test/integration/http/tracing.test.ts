import { afterEach, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../helpers/databases.ts'
import { type Receiver, startReceiver } from '../../helpers/servers/receiver.ts'
import { NAME, execute, openPromptWorkspace, startPromptProduct } from '../prompts/setup.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

interface Exported {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

interface Export {
  resourceSpans: {
    resource: { attributes: Exported['attributes'] }
    scopeSpans: { spans: Exported[] }[]
  }[]
}

/** The spans that a collector of OTLP has received. */
function spansOf({ received }: Receiver): Exported[] {
  return received.flatMap(({ body }) => {
    const { resourceSpans }: Export = JSON.parse(body)
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  })
}

function attribute({ attributes }: Exported, name: string): unknown {
  return Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]
}

describeOnBothDatabases('traces', (database) => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  async function start(collector: string) {
    const product = await startPromptProduct(await database.create(), {
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=ours%20alone',
        LOG_LEVEL: 'silent',
      },
    })
    stops.push(() => product.stop())
    return product
  }

  test('follow a request to its statements, the model and the webhook', async () => {
    const collector = await startReceiver()
    const hook = await startReceiver()
    stops.push(
      () => collector.close(),
      () => hook.close(),
    )
    const product = await start(new URL('/', collector.url).href)
    const workspace = await openPromptWorkspace(product)
    const { token } = workspace
    await product.call('/api/v1/webhooks', {
      token,
      body: { url: hook.url, events: ['prompt.executed'], secret: 's'.repeat(32) },
    })
    const ran = await execute(
      product,
      workspace,
      { prompt_id: 'greeting', ...NAME },
      { traceparent: `00-${TRACE}-${CALLER}-01` },
    )
    expect(ran.status).toBe(200)
    // The caller decides whether its trace is recorded.
    await product.call('/api/v1/prompts', {
      token,
      headers: { traceparent: `00-${'a'.repeat(32)}-${CALLER}-00` },
    })
    const executed = () =>
      hook.received.find(({ headers }) => headers['x-svc-event'] === 'prompt.executed')
    await expect.poll(executed).toBeDefined()
    const delivered = executed()
    await product.stop()

    const spans = spansOf(collector)
    expect(collector.received[0]).toMatchObject({ path: '/v1/traces' })
    expect(collector.received[0]?.headers).toMatchObject({ 'x-team': 'ours alone' })
    const request = spans.find(({ parentSpanId }) => parentSpanId === CALLER)
    expect(request).toMatchObject({ traceId: TRACE, name: 'POST /api/v1/prompts/execute', kind: 2 })
    if (!request) throw new Error('The request has no span.')
    expect(attribute(request, 'http.response.status_code')).toBe('200')
    expect(BigInt(request.endTimeUnixNano)).toBeGreaterThan(BigInt(request.startTimeUnixNano))
    const children = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
    expect(children.every(({ traceId }) => traceId === TRACE)).toBe(true)
    const statements = children.flatMap((span) => attribute(span, 'db.query.text') ?? [])
    expect(statements.length).toBeGreaterThan(3)
    expect(JSON.stringify(statements)).not.toContain(workspace.id)
    const asked = children.find((span) => attribute(span, 'server.address') !== undefined)
    const [call] = product.model.calls
    expect(call?.headers.traceparent).toBe(`00-${TRACE}-${asked?.spanId}-01`)
    const delivery = spans.find((span) => attribute(span, 'sohbet.event') === 'prompt.executed')
    expect(delivery).toMatchObject({ name: 'webhook delivery', kind: 3 })
    expect(delivered?.headers.traceparent).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`)
    expect(spans.filter(({ traceId }) => traceId === 'a'.repeat(32))).toEqual([])
  })

  test('hold no part of an address that may be a secret', async () => {
    const collector = await startReceiver()
    const hook = await startReceiver()
    stops.push(
      () => collector.close(),
      () => hook.close(),
    )
    const product = await start(new URL('/', collector.url).href)
    const workspace = await openPromptWorkspace(product)
    const secret = 'KNOWN-TO-ONE-ALONE'
    const requests = [
      `/appointments/apt_1/${secret}`,
      `/transcripts/ses_1/1/${secret}`,
      `/chat/site/resume/ses_1/1/${secret}`,
      `/no/such/route/${secret}?token=${secret}`,
      `/api/v1/hooks/generic/${secret}?token=${secret}`,
    ]
    for (const path of requests) await product.call(path)
    await product.call('/api/v1/webhooks', {
      token: workspace.token,
      body: {
        url: new URL(`/hooks/${secret}?key=${secret}`, hook.url).href,
        events: ['prompt.executed'],
      },
    })
    await execute(product, workspace, { prompt_id: 'greeting', ...NAME })
    const events = () => hook.received.map(({ headers }) => headers['x-svc-event'])
    await expect.poll(events).toContain('prompt.executed')
    await product.stop()
    const spans = spansOf(collector)
    const names = spans.map(({ name }) => name)
    expect(names).toContain('GET /appointments/:appointment_id/:signature')
    expect(names).toContain('webhook delivery')
    expect(spans.filter((span) => JSON.stringify(span).includes(secret))).toEqual([])
  })

  test('cost no answer when the collector is silent', async () => {
    const collector = await startReceiver('silence')
    stops.push(() => collector.close())
    const product = await start(new URL('/', collector.url).href)
    const workspace = await openPromptWorkspace(product)
    const runs = Array.from({ length: 40 }, () =>
      execute(product, workspace, { prompt_id: 'greeting', ...NAME }),
    )
    expect(new Set((await Promise.all(runs)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})
