import swagger from '@fastify/swagger'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { STATUS_CODES } from '../errors.ts'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Access, PUBLIC } from '../access.ts'
import type { App } from '../app-type.ts'
import { describeCall } from './descriptions.ts'
import { HEADERS, type HeaderRefs, headersOf } from './headers.ts'
import { type NamedSchemas, dropPatterns, nameSchemas } from './named-schemas.ts'
import { PROBLEM_SCHEMA, type ProblemResponses, describeProblems } from './problems.ts'
import { installReference } from './reference.ts'
import { TAGS } from './tags.ts'

const IDEMPOTENT = {
  type: 'object',
  properties: {
    'X-Request-Id': {
      type: 'string',
      maxLength: 128,
      description:
        'Your own id of the request. A repeated call with the same id gets the stored response, for ' +
        '24 hours, with `Idempotent-Replayed: true`.',
    },
  },
} as const

const Described = z.record(z.string(), z.unknown())
/** The description that the generator gives to a response without one. */
const DEFAULT_DESCRIPTION = 'Default Response'
const NOT_MODIFIED = { description: 'The caller has the current version, by `If-None-Match`.' }
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Facts about a route that the generator lacks. */
interface Operation {
  problems: Record<string, { $ref: string }>
  /** Of successful responses. */
  headers: HeaderRefs
  /** Answers 304 too. */
  isCached: boolean
  /** The body is optional; the generator assumes a required body. */
  isBodyOptional: boolean
}

/**
 * Describes routes that are registered later, at `/api/v1/openapi.json` and, for people, `/docs`.
 * `webhooks` are the outbound requests of the product, by event; `schemas` are the components.
 */
export async function describeRoutes(
  app: App,
  about: {
    version: string
    publicUrl: string | undefined
    webhooks: Record<string, object>
    schemas: NamedSchemas
    /** Descriptions of parameters by name, for those without one. */
    parameters: Readonly<Record<string, string>>
    /** JSON request bodies, by operation id. */
    examples: Readonly<Record<string, object>>
  },
): Promise<void> {
  const { version, publicUrl, webhooks, schemas, parameters, examples } = about
  const transform = createJsonSchemaTransform({})
  const operations = new Map<string, Operation>()
  const responses: ProblemResponses = {}
  const noContent: Record<string, object> = {}
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sohbet',
        version,
        description: 'The embeddable chatbot and its metered prompt platform.',
        contact: {
          name: 'The operator of this installation',
          ...(publicUrl ? { url: publicUrl } : {}),
        },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: publicUrl ?? '/', description: 'This installation' }],
      tags: TAGS,
      webhooks,
      components: {
        schemas: { Problem: PROBLEM_SCHEMA },
        headers: HEADERS,
        securitySchemes: {
          user: { type: 'http', scheme: 'bearer', description: "A user's token" },
          session: { type: 'apiKey', in: 'cookie', name: 'svc_session' },
          key: { type: 'http', scheme: 'bearer', description: 'An API key' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          visitor: { type: 'http', scheme: 'bearer', description: "A visitor's token" },
          webhook: {
            type: 'apiKey',
            in: 'header',
            name: 'webhook-signature',
            description: 'The signature of a webhook by this service; see docs/webhooks.md',
          },
          operator: {
            type: 'http',
            scheme: 'bearer',
            description: 'OPERATOR_TOKEN; the panel sends the cookie of operator/session instead',
          },
        },
      },
    },
    transform: (route) => {
      const {
        access = PUBLIC,
        pool,
        form,
        events,
        rawBody,
        isCached = false,
        isIdempotent = false,
        mayFail = [],
      } = route.route.config ?? {}
      const { body, params, querystring } = route.schema ?? {}
      const path = route.url.replaceAll(/:(\w+)(?:\([^)]*\))?/g, '{$1}')
      const problems = describeProblems(
        {
          access,
          isLimited: Boolean(pool),
          hasBody: body !== undefined || form !== undefined || rawBody !== undefined,
          hasParams: params !== undefined,
          hasQuery: querystring !== undefined,
          isIdempotent,
          mayFail,
        },
        responses,
      )
      operations.set(`${String(route.route.method).toLowerCase()} ${path}`, {
        problems,
        headers: headersOf({ isLimited: Boolean(pool), isIdempotent }),
        isCached,
        isBodyOptional: acceptsNoBody(body),
      })
      const described = withBytes(withMultipartForm(transform(route), form), rawBody)
      const { produces = [], ...rest } = described.schema
      const response = withEvents(successResponses(rest.response, produces), events)
      const called = describeCall(access, pool)
      return {
        ...described,
        schema: {
          ...rest,
          description: rest.description ? `${rest.description}\n\n${called}` : called,
          security: securityRequirements(access),
          ...(isIdempotent ? { headers: IDEMPOTENT } : {}),
          ...(response ? { response } : {}),
        },
      }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      for (const [path, routes] of Object.entries(document.openapiObject.paths ?? {})) {
        for (const method of METHODS) {
          const described = routes?.[method]
          const operation = operations.get(`${method} ${path}`)
          if (!described || !operation) continue
          described.operationId = operationId(method, path)
          for (const parameter of described.parameters ?? []) {
            if (!('name' in parameter)) continue
            parameter.description ??= parameters[parameter.name] ?? ''
            if (parameter.required === false) delete parameter.required
          }
          const answers = addDescriptions(described.responses, operation.headers)
          const unchanged = operation.isCached ? { 304: NOT_MODIFIED } : {}
          described.responses = { ...answers, ...unchanged, ...operation.problems }
          shareNoContent(described.responses, noContent)
          const body = operation.isBodyOptional ? described.requestBody : undefined
          if (body && 'required' in body) body.required = false
          addExample(described.requestBody, examples[described.operationId])
        }
      }
      const { paths, components } = document.openapiObject
      const named = nameSchemas([paths, webhooks], schemas)
      Object.assign(components?.schemas ?? {}, named)
      Object.assign(components ?? {}, { responses: { ...responses, ...noContent } })
      dropPatterns([paths, components, webhooks])
      return document.openapiObject
    },
  })
  await installReference(app)
  app.get(
    '/api/v1/openapi.json',
    {
      config: { access: PUBLIC, pool: null },
      schema: { hide: true, response: { 200: z.looseObject({}) } },
    },
    async () => ({ ...app.swagger() }),
  )
}

/** Returns the operation id for generated clients: `postApiKeys`, `deleteApiKeysById`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/(?:api\/v1\/)?/, '')
    .replaceAll(/\{(\w+)\}/g, 'by_$1')
    .split(/[^A-Za-z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Adds headers, and the status text where a route has no description. */
function addDescriptions<Answer extends object>(
  answers: Record<string, Answer> = {},
  headers: HeaderRefs = {},
): Record<string, Answer> {
  for (const [status, answer] of Object.entries(answers)) {
    Object.assign(answer, { headers })
    if ('description' in answer && answer.description === DEFAULT_DESCRIPTION) {
      answer.description = STATUS_CODES[status]
    }
  }
  return answers
}

/** Puts references in place of equal answers without a body, and those answers into `components`. */
function shareNoContent(answers: Record<string, object>, components: Record<string, object>): void {
  const { 204: answer } = answers
  if (!answer || 'content' in answer) return
  const known = (components.NoContent ??= answer)
  if (isDeepStrictEqual(known, answer)) answers[204] = { $ref: '#/components/responses/NoContent' }
}

/** Adds an example to the JSON form of a body. */
function addExample(
  body: { content: Record<string, { example?: unknown }> } | { $ref: string } | undefined,
  example: object | undefined,
): void {
  const json = body && 'content' in body ? body.content['application/json'] : undefined
  if (json && example) json.example = example
}

function acceptsNoBody(body: unknown): boolean {
  return body instanceof z.ZodType && body.safeParse(undefined).success
}

/** Adds a form with a file, beside the JSON body where a route accepts both. */
function withMultipartForm<Described extends { schema: { body?: unknown } }>(
  described: Described,
  form: z.ZodType | undefined,
): Described {
  if (!form) return described
  const { properties, ...rest } = z.toJSONSchema(form, { io: 'input' })
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  const { body } = described.schema
  const content = {
    ...(body === undefined ? {} : { 'application/json': { schema: body } }),
    'multipart/form-data': {
      schema: { ...rest, properties: { file, ...properties }, required: ['file'] },
    },
  }
  return { ...described, schema: { ...described.schema, body: { content } } }
}

/** Adds a body whose form another service decides. */
function withBytes<Described extends { schema: { body?: unknown } }>(
  described: Described,
  description: string | undefined,
): Described {
  if (description === undefined) return described
  const content = { 'application/json': { schema: { type: 'object', description } } }
  return { ...described, schema: { ...described.schema, body: { content } } }
}

/** Adds the events of a stream to the successful response, beside the JSON answer where there is one. */
function withEvents(
  response: Record<string, unknown> | undefined,
  events: z.ZodType | undefined,
): Record<string, unknown> | undefined {
  if (!events) return response
  const { $schema: _dialect, ...schema } = z.toJSONSchema(events)
  const json = response?.['200']
  const content = {
    ...(json === undefined ? {} : { 'application/json': { schema: json } }),
    'text/event-stream': { schema },
  }
  return { 200: { description: 'The answer, or the `data` of each event of the stream', content } }
}

/** Returns the alternative credentials of a route. */
function securityRequirements(access: Access): Record<string, string[]>[] {
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

/** Returns the successful responses of a route. */
function successResponses(
  own: unknown,
  produces: readonly string[],
): Record<string, unknown> | undefined {
  const known = Described.safeParse(own)
  if (known.success) return known.data
  if (produces.length === 0) return undefined
  const content = Object.fromEntries(
    produces.map((type) => [
      type,
      { schema: { type: type === 'application/json' ? 'object' : 'string' } },
    ]),
  )
  return { 200: { description: 'The answer', content } }
}
