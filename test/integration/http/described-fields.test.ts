import { expect, test } from 'vitest'
import { describeOnDatabase } from '../../helpers/databases.ts'
import { inlineReferences } from '../../helpers/openapi.ts'
import { useProduct } from '../../helpers/use-product.ts'

interface Schema {
  description?: string
  format?: string
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
interface Body {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema?: Schema }>
}
interface Operation {
  summary?: string
  description?: string
  operationId?: string
  tags?: string[]
  security?: object[]
  parameters?: { name: string; in: string; description?: string; schema?: Schema }[]
  requestBody?: Body
  responses: Record<string, Body>
}

interface Document {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { headers: Record<string, object>; schemas: Record<string, Schema> }
}

/** Calls about accounts, credits, prompts and messages; the rest of the API has guides of its own. */
const PATHS =
  /^\/api\/v1\/(auth\/me|api-keys|members|audit|credits|prompts|runs|memory|workspace|chatbot\/message)/
/** Names that say all there is to know. */
const SAYS_ALL =
  /^(id|\w+_id|name|title|email|password|current_password|created_at|updated_at|data|value|key|user|role|plan|workspace|credits|credits_used|usage|\w+_tokens|owner|provider|has_api_key|locale|time_zone|state|kind|by|code|detail|media_type|message|content|url|citations|heading|anchor|quote|reply|model|image_model|base_url|finish_reason|prompt_version|type|subject|details)$/

/** Moments are said to be times, also where they may be null. */
function isMoment({ format, anyOf = [] }: Schema): boolean {
  return format === 'date-time' || anyOf.some(isMoment)
}

/** The fields of a schema, by their place, that neither say what they are nor have a name that does. */
function* silent(schema: Schema | undefined, place: string): Generator<string> {
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const here = `${place}/${name}`
    if (!field.description && !SAYS_ALL.test(name)) yield here
    if (name.endsWith('_at') && !isMoment(field)) yield `${here} is no time`
    yield* silent(field, here)
  }
  if (schema?.items) yield* silent(schema.items, place)
  for (const one of schema?.anyOf ?? []) yield* silent(one, place)
}

function* silentIn(operation: Operation, place: string): Generator<string> {
  for (const { name, in: where, description, schema } of operation.parameters ?? []) {
    const isSaid = description ?? schema?.description
    if (where === 'query' && !isSaid && !SAYS_ALL.test(name)) yield `${place}?${name}`
  }
  const bodies = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, body]) => body)
  for (const body of [operation.requestBody, ...bodies]) {
    yield* silent(body?.content?.['application/json']?.schema, place)
  }
}

describeOnDatabase('the description of the API', (database) => {
  const product = useProduct(database)

  async function readInlined(): Promise<Document> {
    const { body } = await product.call('/api/v1/openapi.json')
    return JSON.parse(JSON.stringify(inlineReferences(body)))
  }

  test('names the headers by which a client waits, and knows a replay', async () => {
    const body = await readInlined()
    const { responses = {} } = body.paths['/api/v1/prompts/execute']?.post ?? {}
    const headersOf = (status: string) => Object.keys(responses[status]?.headers ?? {})
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
    expect(headersOf('200')).toEqual(['X-Request-Id', ...limits, 'Idempotent-Replayed'])
    expect(headersOf('429')).toEqual(['X-Request-Id', ...limits, 'Retry-After'])
    for (const status of ['402', '409', '503']) expect(headersOf(status)).toContain('Retry-After')
    expect(headersOf('404')).toEqual(['X-Request-Id'])
    const refs = Object.values(body.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) =>
        Object.values(operation.responses).flatMap(({ headers }) => Object.values(headers ?? {})),
      ),
    )
    const names = Object.keys(body.components.headers)
    const known = new Set(names.map((name) => `#/components/headers/${name}`))
    expect(refs.filter(({ $ref }) => !known.has($ref))).toEqual([])
  })

  test('says what the fields of accounts, credits and prompts are', async () => {
    const { paths } = await readInlined()
    const found = Object.entries(paths)
      .filter(([path]) => PATHS.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, operation]) => [
          ...silentIn(operation, `${method} ${path} `),
        ]),
      )
    expect(found).toEqual([])
    const message = paths['/api/v1/chatbot/message']?.post
    expect(message?.description).toContain('text/event-stream')
    const { properties = {} } = message?.requestBody?.content?.['application/json']?.schema ?? {}
    expect(properties.message).toMatchObject({ minLength: 1, maxLength: 4_000 })
  })

  test('names every operation, says what it does and who may call it, in a described group', async () => {
    const { body } = await product.call<Document>('/api/v1/openapi.json')
    const groups = new Map(body.tags.map(({ name, description }) => [name, description]))
    const used = new Set<string>()
    const ids: string[] = []
    for (const [path, methods] of Object.entries({ ...body.paths, ...body.webhooks })) {
      for (const [method, operation] of Object.entries(methods)) {
        const { summary, description, operationId = '', tags = [], security } = operation
        const { parameters = [] } = operation
        const place = `${method} ${path}`
        expect([place, summary]).toEqual([place, expect.stringMatching(/./)])
        expect([place, description]).toEqual([place, expect.stringMatching(/./)])
        expect([place, operationId]).toEqual([place, expect.stringMatching(/^[a-z]\w+$/)])
        expect([place, Array.isArray(security)]).toEqual([place, true])
        expect([place, tags.length]).toEqual([place, 1])
        const undescribed = parameters.filter((parameter) => !parameter.description)
        expect([place, undescribed.map(({ name }) => name)]).toEqual([place, []])
        for (const tag of tags) expect([place, tag, groups.has(tag)]).toEqual([place, tag, true])
        for (const tag of tags) used.add(tag)
        ids.push(operationId)
      }
    }
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect([...groups.keys()].filter((name) => !used.has(name))).toEqual([])
    expect([...groups.values()].filter((description) => !description.endsWith('.'))).toEqual([])
    expect(body.servers.map(({ url }) => url)).toEqual(['http://localhost:3000'])
  })

  test('gives names to what travels, so that clients have types', async () => {
    const { body, text } = await product.call<Document>('/api/v1/openapi.json')
    const { schemas } = body.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Tenant',
        'ManagedLead',
        'HistoryMessage',
        'Run',
        'RuleDelivery',
        'Problem',
      ]),
    )
    expect(Object.keys(schemas).length).toBeGreaterThanOrEqual(40)
    expect(text.length).toBeLessThanOrEqual(600_000)
    const streams = ['/api/v1/chatbot/message', '/api/v1/prompts/execute'].map((path) =>
      Object.entries(body.paths[path]?.post?.responses['200']?.content ?? {}),
    )
    const ref = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } })
    expect(streams).toEqual([
      [
        ['application/json', ref('Turn')],
        ['text/event-stream', ref('TurnEvent')],
      ],
      [
        ['application/json', ref('RunAnswer')],
        ['text/event-stream', ref('RunEvent')],
      ],
    ])
    const live = body.paths['/api/v1/live']?.get?.responses['200']?.content
    expect(live).toEqual({ 'text/event-stream': ref('WorkspaceEvent') })
    const files = body.paths['/api/v1/tenants/{tenant_id}/knowledge/files']?.post?.requestBody
    expect(Object.keys(files?.content ?? {})).toEqual(['multipart/form-data'])
    const pasted = body.paths['/api/v1/tenants/{tenant_id}/knowledge']?.post?.requestBody
    expect(Object.keys(pasted?.content ?? {})).toEqual(['application/json'])
  })
})
