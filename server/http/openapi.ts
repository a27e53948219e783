import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Access, PUBLIC } from './access.ts'
import type { App } from './app-type.ts'

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    required: { type: 'number', description: 'On 402: the credits that the call needs.' },
    remaining: { type: 'number', description: 'On 402: the credits that are left.' },
    reset_at: { type: 'string', format: 'date-time', description: 'On 402: when more come.' },
    required_plan: { type: 'string', description: 'On 402: the least plan that has this.' },
    session_id: { type: 'string', description: 'On 402: the conversation that kept the message.' },
  },
} as const

const IDEMPOTENT = {
  type: 'object',
  properties: {
    'X-Request-Id': {
      type: 'string',
      maxLength: 128,
      description:
        'An id of your own. The same call under the same id is answered from what was stored, for ' +
        '24 hours, with `Idempotent-Replayed: true`.',
    },
  },
} as const

const Described = z.record(z.string(), z.unknown())

/**
 * Describes the routes that are added after it, at `/api/v1/openapi.json` and, to read, `/docs`.
 * `webhooks` are the requests that the product itself makes, by the kind of event.
 */
export async function describeRoutes(
  app: App,
  { version, webhooks }: { version: string; webhooks: Record<string, object> },
): Promise<void> {
  const transform = createJsonSchemaTransform({})
  const withoutBody = new Set<string>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sohbet',
        version,
        description: 'The embeddable chatbot and the metered prompt platform under it.',
      },
      webhooks,
      components: {
        securitySchemes: {
          user: { type: 'http', scheme: 'bearer', description: "A user's token" },
          session: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
          key: { type: 'http', scheme: 'bearer', description: 'An API key' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          visitor: { type: 'http', scheme: 'bearer', description: "A visitor's token" },
          operator: { type: 'http', scheme: 'bearer', description: 'OPERATOR_TOKEN' },
        },
      },
    },
    transform: (route) => {
      if (mayLackBody(route.schema?.body)) withoutBody.add(route.url)
      const described = withForm(transform(route), route.route.config?.form)
      const security = waysIn(route.route.config?.access ?? PUBLIC)
      const { isIdempotent = false } = route.route.config ?? {}
      const { produces = [], ...rest } = described.schema
      const response = responsesOf(rest.response, produces)
      return {
        ...described,
        schema: {
          ...rest,
          security,
          ...(isIdempotent ? { headers: IDEMPOTENT } : {}),
          ...(response ? { response } : {}),
        },
      }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      for (const [path, routes] of Object.entries(document.openapiObject.paths ?? {})) {
        const body = withoutBody.has(path) ? routes?.post?.requestBody : undefined
        if (body && 'required' in body) body.required = false
      }
      return document.openapiObject
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: {
      title: 'Sohbet API',
      css: [{ filename: 'sohbet.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
  app.get(
    '/api/v1/openapi.json',
    {
      config: { access: PUBLIC, pool: null },
      schema: { hide: true, response: { 200: z.looseObject({}) } },
    },
    async () => ({ ...app.swagger() }),
  )
}

/** Whether a call may come without a body at all, which the generator takes for impossible. */
function mayLackBody(body: unknown): boolean {
  return body instanceof z.ZodType && body.safeParse(undefined).success
}

/** Describes a form with a file beside the JSON body, where a route takes both. */
function withForm<Described extends { schema: { body?: unknown } }>(
  described: Described,
  form: z.ZodType | undefined,
): Described {
  if (!form) return described
  const { properties, ...rest } = z.toJSONSchema(form, { io: 'input' })
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const content = {
    'application/json': { schema: described.schema.body },
    'multipart/form-data': {
      schema: { ...rest, properties: { file, ...properties }, required: ['file'] },
    },
  }
  return { ...described, schema: { ...described.schema, body: { content } } }
}

/** What a caller can send to show who calls; any one of these will do. */
function waysIn(access: Access): Record<string, string[]>[] {
  if (access.kind === 'public') return []
  if (access.kind === 'installation') return [{ operator: [] }]
  return [
    { user: [] },
    { session: [] },
    ...(access.keys ? [{ key: [] }] : []),
    ...(access.keyHeader ? [{ apiKey: [] }] : []),
    ...(access.visitors ? [{ visitor: [] }] : []),
  ]
}

/**
 * The answers of a route, and the problems. A route that answers with JSON is described by that
 * alone, a stream that can take its place in words: else no client would know the type of either.
 */
function responsesOf(
  own: unknown,
  produces: readonly string[],
): Record<string, unknown> | undefined {
  const known = Described.safeParse(own)
  if (!known.success && produces.length === 0) return undefined
  const content = Object.fromEntries(produces.map((type) => [type, { schema: { type: 'string' } }]))
  return {
    ...(known.success ? known.data : { 200: { description: 'The answer', content } }),
    default: {
      description: 'A problem (RFC 9457)',
      content: { 'application/problem+json': { schema: PROBLEM } },
    },
  }
}
