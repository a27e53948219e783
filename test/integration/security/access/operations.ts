import { z } from 'zod'
import { inlineReferences } from '../../../helpers/openapi.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const BodySchema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
})
const Choice = z.looseObject({ oneOf: z.array(z.unknown()) })
const DescribedOperation = z.looseObject({
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z
    .array(
      z.looseObject({ in: z.string(), name: z.string(), required: z.boolean().default(false) }),
    )
    .default([]),
  requestBody: z
    .looseObject({
      /** Missing where only a form fits. */
      content: z.looseObject({ 'application/json': z.object({ schema: z.unknown() }).optional() }),
    })
    .optional(),
})

const Description = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
})

/** A field of an object within the body that names something that exists. */
interface Nested {
  field: string
  name: string
}

/** A route as the product describes it. */
export interface Operation {
  /** Such as `get /api/v1/tenants/{tenant_id}`. */
  id: string
  method: string
  path: string
  /** The names of the ways to show who calls; none for a public route. */
  security: string[]
  query: string[]
  body: { required: string[]; all: string[]; nested: Nested[] } | undefined
}

/** Fields of bodies that name something that exists. */
const REFERENCES = new Set(['tenant_id', 'session_id', 'prompt_id', 'integration_id', 'lead_id'])

/** The meaning of `{id}`, by the part of the path. */
const OWNERS_OF_ID = [
  ['/api-keys/', 'key_id'],
  ['/push-subscriptions/', 'push_id'],
  ['/rules-engine/', 'rule_id'],
  ['/webhooks/', 'whs_id'],
] as const

/** The same for `{question_id}`: outside a test set, it is a question that a visitor asked. */
const OWNERS_OF_QUESTION = [['/questions/', 'test_question_id']] as const

/** A value that fits, for every field that a body or a query needs. */
const SAMPLES: Record<string, unknown> = {
  name: 'Somebody',
  title: 'A title',
  text: 'Some words.',
  rating: 5,
  kind: 'text',
  content: 'Some words.',
  message: 'Hello there',
  question: 'When do you open?',
  expected: { none: true },
  phone: '+905321234567',
  email: 'somebody@example.com',
  event: 'lead.created',
  // Nothing listens there: what is saved with it is refused a connection at once.
  url: 'http://127.0.0.1:9/hook',
  events: ['chatbot.lead'],
  plan: 'klinik_pro',
  locale: 'en',
  owner: { email: 'someone@example.com', name: 'Someone', password: 'a long password' },
  credits: 10,
  reference: 'order-1',
  q: 'words',
  since: '2026-11-21T00:00:00Z',
  template: 'Say hello.',
  inputs_schema: { type: 'object' },
  inputs: {},
  value: 'A fact.',
  endpoint: 'http://127.0.0.1:9/push',
  keys: {},
  start: '2100-01-04T09:00:00.000Z',
  current_password: 'not the password',
  password: 'not the password',
  code: '000000',
  new_password: 'another long password',
  token: 'a-token',
  role: 'operator',
  state: 'away',
  billing: false,
  when: 'Somebody asks where an order is.',
  answer: { say: 'It is on its way.' },
  document: { openapi: '3.1.0', servers: [{ url: 'http://127.0.0.1:9' }], paths: {} },
  user_id: null,
  expires: 4_102_444_800,
  signature: 'not-a-signature',
}

/** Where a field of a route means something else than the same field of the others. */
const OWN_SAMPLES: Record<string, unknown> = {
  'put /api/v1/account/notifications email': {
    lead: 'now',
    handoff: 'now',
    waiting: 'now',
    credits: 'now',
    webhooks: 'now',
  },
  'put /api/v1/account/notifications push': {
    lead: true,
    handoff: true,
    waiting: true,
    credits: true,
    webhooks: true,
  },
  'post /api/v1/integrations kind': 'generic',
  'post /api/v1/prompts kind': 'bot',
  'put /api/v1/prompts/{prompt_id} kind': 'bot',
}

/** Fields that a route needs beside those that its schema requires: one of several will do. */
const ALSO_NEEDED: Record<string, string[]> = {
  'post /api/v1/webhooks/rules-engine/rules': ['event'],
}

/** Every route of the OpenAPI document. */
export function operationsOf(document: unknown): Operation[] {
  const { paths } = Description.parse(inlineReferences(document))
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      if (methods[method] === undefined) return []
      const described = DescribedOperation.parse(methods[method])
      const schema = described.requestBody?.content['application/json']?.schema
      const shape = schema === undefined ? undefined : BodySchema.safeParse(oneOf(schema)).data
      return [
        {
          id: `${method} ${path}`,
          method,
          path,
          security: described.security.flatMap((way) => Object.keys(way)),
          query: described.parameters
            .filter((parameter) => parameter.in === 'query' && parameter.required)
            .map(({ name }) => name),
          body: shape && {
            required: shape.required,
            all: Object.keys(shape.properties),
            nested: nestedIn(shape.properties),
          },
        },
      ]
    }),
  )
}

function nestedIn(properties: Record<string, unknown>): Nested[] {
  return Object.entries(properties).flatMap(([field, schema]) =>
    Object.keys(BodySchema.safeParse(schema).data?.properties ?? {})
      .filter((name) => REFERENCES.has(name))
      .map((name) => ({ field, name })),
  )
}

/** Of a body that may be one of several, the first will do. */
function oneOf(schema: unknown): unknown {
  return Choice.safeParse(schema).data?.oneOf[0] ?? schema
}

/** The ids that a call of the route names: those of its path, and references in its body. */
export function idsOf({ path, body }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const inBody = (body?.all ?? []).filter((name) => REFERENCES.has(name))
  return [...new Set([...inPath, ...inBody])]
}

/** The same for objects within the body: who gives them may as well leave them out. */
export function nestedIdsOf({ body }: Operation): string[] {
  return (body?.nested ?? []).map(({ name }) => name)
}

/** The path and a body that fits, with ids taken from what is known. Throws for a name that is new. */
export function fill(
  operation: Operation,
  known: Record<string, string>,
  nested: Record<string, string> = {},
): { path: string; body: Record<string, unknown> | undefined } {
  const idOf = (name: string): string => {
    const owners = name === 'id' ? OWNERS_OF_ID : name === 'question_id' ? OWNERS_OF_QUESTION : []
    const full = owners.find(([place]) => operation.path.includes(place))?.[1] ?? name
    const id = known[full]
    if (!id) throw new Error(`${operation.id}: the matrix has no ${full}; make one.`)
    return id
  }
  const sampleOf = (name: string): unknown => {
    const own = OWN_SAMPLES[`${operation.id} ${name}`]
    if (own !== undefined) return own
    if (!(name in SAMPLES)) throw new Error(`${operation.id}: the matrix has no value for ${name}.`)
    return SAMPLES[name]
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))
  const query = operation.query.map((name) => `${name}=${String(sampleOf(name))}`).join('&')
  const fields = operation.body?.all.filter(
    (name) =>
      operation.body?.required.includes(name) ||
      REFERENCES.has(name) ||
      ALSO_NEEDED[operation.id]?.includes(name),
  )
  const inside = (operation.body?.nested ?? []).flatMap(({ field, name }) =>
    nested[name] === undefined ? [] : [[field, { [name]: nested[name] }] as const],
  )
  return {
    path: query ? `${path}?${query}` : path,
    body:
      fields &&
      Object.fromEntries([
        ...fields.map(
          (name) => [name, REFERENCES.has(name) ? idOf(name) : sampleOf(name)] as const,
        ),
        ...inside,
      ]),
  }
}
