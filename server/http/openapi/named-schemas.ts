import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'

/** Schemas by the names that generated clients give their types. */
export type NamedSchemas = Readonly<Record<string, unknown>>

const Node = z.record(z.string(), z.unknown())
type Node = z.infer<typeof Node>

const PREFIX = '#/components/schemas/'
/** The properties of a page, in their order. */
const PAGE = 'data,next_cursor'

/**
 * Replaces schemas of the document that equal a named one by references, and returns the components
 * that are referred to. A request's schema that differs from the response's gets `Input` after its
 * name; a page of a named schema gets `Page`.
 */
export function nameSchemas(document: unknown, named: NamedSchemas): Record<string, object> {
  const known = index(named)
  const components: Record<string, Node> = {}
  replaceIn(document)
  rename(document)
  rename(components)
  return Object.fromEntries(
    Object.entries(components)
      .map(([name, schema]) => [shortened(name), schema] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

  /** A request's schema keeps the plain name where no response has another one of that name. */
  function shortened(name: string): string {
    const plain = name.replace(/Input$/, '')
    return plain in named && !(plain in components) ? plain : name
  }

  function rename(value: unknown): void {
    if (Array.isArray(value)) return value.forEach((one) => rename(one))
    if (!isObject(value)) return
    if (typeof value.$ref === 'string' && value.$ref.startsWith(PREFIX)) {
      value.$ref = PREFIX + shortened(value.$ref.slice(PREFIX.length))
    }
    for (const child of Object.values(value)) rename(child)
  }

  function replaceIn(value: unknown): void {
    if (Array.isArray(value)) return value.forEach((one) => replaceIn(one))
    if (!isObject(value)) return
    for (const [key, child] of Object.entries(value)) {
      const name = nameOf(child)
      if (name === undefined) {
        replaceIn(child)
        const page = pageName(child)
        if (page !== undefined) Object.assign(value, { [key]: referTo(page, child) })
        continue
      }
      const isNew = !(name in components)
      Object.assign(value, { [key]: referTo(name, child) })
      if (isNew) replaceIn(components[name])
    }
  }

  function nameOf(value: unknown): string | undefined {
    return isObject(value) && isNameable(value) ? known.get(keyOf(value)) : undefined
  }

  function referTo(name: string, value: unknown): Node {
    const { description, ...schema } = Node.parse(value)
    components[name] ??= structuredClone(schema)
    return { $ref: PREFIX + name, ...(description === undefined ? {} : { description }) }
  }
}

/** Returns the names by the canonical text of their schemas, as responses and as requests. */
function index(named: NamedSchemas): Map<string, string> {
  const transform = createJsonSchemaTransform({})
  const names = new Map<string, string>()
  const inputs: [string, string][] = []
  for (const [name, schema] of Object.entries(named)) {
    if (!(schema instanceof z.ZodObject || schema instanceof z.ZodUnion)) continue
    const { output, input } = rendered(transform, schema)
    const key = keyOf(output)
    if (!names.has(key)) names.set(key, name)
    // Clients would take fields of a component for required where these have a default.
    if (!canonical(input).includes('"default":')) inputs.push([keyOf(input), name])
  }
  const taken = new Set(names.values())
  for (const [key, name] of inputs) {
    if (!names.has(key)) names.set(key, taken.has(`${name}Input`) ? name : `${name}Input`)
  }
  return names
}

function rendered(
  transform: ReturnType<typeof createJsonSchemaTransform>,
  schema: z.ZodType,
): { output: Node; input: Node } {
  const { schema: shown } = transform({
    schema: { body: schema, response: { 200: schema } },
    url: '/',
    route: { method: 'POST', url: '/', handler: () => undefined },
    openapiObject: { openapi: '3.1.0' },
  })
  const { body, response } = z
    .object({ body: Node, response: z.object({ 200: Node }) })
    .parse(shown)
  return { input: body, output: response[200] }
}

function pageName(value: unknown): string | undefined {
  const properties = isObject(value) ? value.properties : undefined
  if (!isObject(properties) || Object.keys(properties).join() !== PAGE) return undefined
  const items = isObject(properties.data) ? properties.data.items : undefined
  if (!isObject(items) || typeof items.$ref !== 'string') return undefined
  return `${items.$ref.slice(PREFIX.length)}Page`
}

function isNameable(node: Node): boolean {
  return node.properties !== undefined || node.anyOf !== undefined || node.oneOf !== undefined
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the canonical text of a schema, whatever is said about the schema as a whole. */
function keyOf({ description: _said, $schema: _dialect, ...schema }: Node): string {
  return canonical(schema)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one)).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  // The generator of the document writes `const` as an `enum` of one.
  const entries = Object.entries(value)
    .map(([key, child]): [string, unknown] => (key === 'const' ? ['enum', [child]] : [key, child]))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join()}}`
}

/** Formats that say to tools and readers what the long pattern beside them says. */
const SELF_EXPLAINING: ReadonlySet<unknown> = new Set(['date-time', 'email'])

/** Removes the patterns of strings whose format is enough. */
export function dropPatterns(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if ('format' in value && SELF_EXPLAINING.has(value.format) && 'pattern' in value) {
    delete value.pattern
  }
  for (const child of Object.values(value)) dropPatterns(child)
}
