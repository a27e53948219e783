import { z } from 'zod'
import { invalidFields } from '../http/errors.ts'
import { isInputName } from './definition.ts'
import { type ImportActions, MAX_ACTIONS, NewAction } from './schema.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
/** References within references of one schema. */
const MAX_REFERENCES = 8
const MAX_OPERATIONS = 500
const MAX_SHOWN_FIELDS = 5
const MAX_NAME_LENGTH = 80
const MAX_WHEN_LENGTH = 500
/** A field of a response. */
const FIELD_NAME = /^[A-Za-z]\w{0,39}$/
const SCALARS = new Set(['string', 'integer', 'number', 'boolean'])
/** Keywords that the import copies from a schema of the document. */
const KEYWORDS =
  'type enum format pattern minLength maxLength minimum maximum title description default'.split(
    ' ',
  )

const Json = z.record(z.string(), z.unknown())
type Json = z.infer<typeof Json>
const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema: Json.default({}),
})
const OpenApi = z.looseObject({
  openapi: z.string().regex(/^3\.\d/, 'must be OpenAPI 3.x'),
  servers: z.array(z.looseObject({ url: z.string() })).min(1, 'needs a server'),
  paths: z.record(z.string(), Json),
})

/** An operation that became no action. */
interface Skipped {
  operation: string
  reason: string
}

/**
 * Reads the operations of an OpenAPI document as inactive actions. Throws 422 for a document that is
 * none. Operations that need what an action does not have are listed with the reason.
 */
export function readOperations(
  { document, operations }: ImportActions,
  room: number,
): { actions: NewAction[]; skipped: Skipped[] } {
  const parsed = OpenApi.safeParse(document)
  if (!parsed.success) {
    throw invalidFields(
      parsed.error.issues.map(({ path, message }) => ({
        path: ['/document', ...path.map(String)].join('/'),
        message,
      })),
    )
  }
  const server = parsed.data.servers[0]?.url ?? ''
  if (!URL.canParse(server)) {
    const message = 'must be a full address, such as "https://api.example.com"'
    throw invalidFields([{ path: '/document/servers/0/url', message }])
  }
  const actions: NewAction[] = []
  const skipped: Skipped[] = []
  for (const found of listOperations(document, parsed.data.paths)) {
    if (operations && !operations.includes(found.id)) continue
    const action = readOperation(document, server, found)
    if (typeof action === 'string') skipped.push({ operation: found.id, reason: action })
    else if (actions.length >= room) {
      skipped.push({ operation: found.id, reason: `a site has at most ${MAX_ACTIONS} actions` })
    } else actions.push(action)
  }
  return { actions, skipped }
}

interface FoundOperation {
  id: string
  method: (typeof METHODS)[number]
  path: string
  operation: Json
  parameters: unknown[]
}

function listOperations(document: Json, paths: Record<string, Json>): FoundOperation[] {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = Json.safeParse(item[method]).data
      if (!operation) return []
      const id = typeof operation.operationId === 'string' ? operation.operationId : ''
      const parameters = [item.parameters, operation.parameters].flatMap((list) =>
        Array.isArray(list) ? list : [],
      )
      const resolved = parameters.map((one) => resolve(document, one))
      return [{ id: id || `${method} ${path}`, method, path, operation, parameters: resolved }]
    }),
  )
  return found.slice(0, MAX_OPERATIONS)
}

function readOperation(document: Json, server: string, found: FoundOperation): NewAction | string {
  const { id, method, path, operation } = found
  const properties: Record<string, Json> = {}
  const required: string[] = []
  const query: string[] = []
  for (const given of found.parameters) {
    const parameter = Parameter.safeParse(given).data
    if (!parameter) return 'has a parameter that could not be read'
    const { name, in: where, required: isRequired } = parameter
    if (where !== 'path' && where !== 'query') {
      if (isRequired) return `needs the ${where} “${name}”: add it as a header of an action`
      continue
    }
    const schema = scalarOf(document, parameter.schema)
    if (!schema || !isInputName(name)) {
      if (isRequired || where === 'path') return `needs “${name}”, which is not a plain value`
      continue
    }
    properties[name] = schema
    if (isRequired || where === 'path') required.push(name)
    if (where === 'query') query.push(`${name}={${name}}`)
  }
  const body = readBody(document, operation.requestBody)
  if (typeof body === 'string') return body
  for (const [name, schema] of Object.entries(body.properties)) properties[name] ??= schema
  required.push(...body.required.filter((name) => !required.includes(name)))
  const title = textOf(operation.summary) || id
  const shown = shownFields(document, operation)
  const upper = method.toUpperCase()
  const parsed = NewAction.safeParse({
    name: title.slice(0, MAX_NAME_LENGTH),
    when: (textOf(operation.description) || title).slice(0, MAX_WHEN_LENGTH),
    inputs_schema: { type: 'object', properties, required },
    method: upper,
    url: `${server.replace(/\/+$/, '')}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    body: upper === 'GET' || Object.keys(body.properties).length === 0 ? null : body.template,
    answer: {
      fields: Object.fromEntries(shown.map((name) => [name, `/${name}`])),
      say: shown.map((name) => `${name}: {{${name}}}`).join('\n') || title,
    },
  })
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'does not fit')
}

/** Returns the properties of a JSON body and the template that sends them; the reason against one. */
function readBody(
  document: Json,
  given: unknown,
): { properties: Record<string, Json>; required: string[]; template: Json } | string {
  const none = { properties: {}, required: [], template: {} }
  const body = Json.safeParse(resolve(document, given)).data
  if (!body) return none
  const content = Json.safeParse(body.content).data ?? {}
  const media = Json.safeParse(content['application/json']).data
  const schema = Json.safeParse(resolve(document, media?.schema)).data
  if (!schema) return body.required === true ? 'needs a body that is not JSON' : none
  const needed = Array.isArray(schema.required) ? schema.required.map(String) : []
  const properties: Record<string, Json> = {}
  for (const [name, property] of Object.entries(Json.safeParse(schema.properties).data ?? {})) {
    const scalar = scalarOf(document, property)
    if (scalar && isInputName(name)) properties[name] = scalar
    else if (needed.includes(name)) return `needs “${name}”, which is not a plain value`
  }
  const names = Object.keys(properties)
  const template = Object.fromEntries(names.map((name) => [name, `{${name}}`]))
  return { properties, required: needed.filter((name) => names.includes(name)), template }
}

/** Returns the plain values at the top of the first successful response. */
function shownFields(document: Json, operation: Json): string[] {
  const responses = Json.safeParse(operation.responses).data ?? {}
  const status = Object.keys(responses).find((code) => code.startsWith('2')) ?? ''
  const response = Json.safeParse(resolve(document, responses[status])).data
  const content = Json.safeParse(response?.content).data ?? {}
  const media = Json.safeParse(content['application/json']).data
  const schema = Json.safeParse(resolve(document, media?.schema)).data
  const properties = Json.safeParse(schema?.properties).data ?? {}
  const needed = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties)
    .filter(([name, one]) => FIELD_NAME.test(name) && scalarOf(document, one) !== undefined)
    .filter(([name]) => needed.length === 0 || needed.includes(name))
    .map(([name]) => name)
    .slice(0, MAX_SHOWN_FIELDS)
}

/** Returns the allowed keywords of the schema of a plain value; `undefined` for any other. */
function scalarOf(document: Json, given: unknown): Json | undefined {
  const schema = Json.safeParse(resolve(document, given)).data
  if (!schema || !(SCALARS.has(String(schema.type)) || Array.isArray(schema.enum))) return undefined
  return Object.fromEntries(Object.entries(schema).filter(([key]) => KEYWORDS.includes(key)))
}

/** Follows local references; `undefined` for any other, and for a circle. */
function resolve(document: Json, given: unknown): unknown {
  let value = given
  for (let depth = 0; depth <= MAX_REFERENCES; depth += 1) {
    const { $ref } = Json.safeParse(value).data ?? {}
    if (typeof $ref !== 'string') return value
    if (!$ref.startsWith('#/')) return undefined
    value = $ref
      .slice(2)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((place, token) => {
        const fields = Json.safeParse(place).data ?? {}
        return Object.hasOwn(fields, token) ? fields[token] : undefined
      }, document)
  }
  return undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
