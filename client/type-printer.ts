import { z } from 'zod'

const Schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  description: z.string().optional(),
})
type Schema = z.infer<typeof Schema>

/** Prints schemas as TypeScript types that need no import; each is used by its name in the others. */
export function printTypes(schemas: ReadonlyMap<string, z.ZodType>): string {
  const rendered = [...schemas].map(([name, schema]) => {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
      // Bodies are what a caller sends; everything else is what the service answers.
      io: name.startsWith('Send') ? 'input' : 'output',
      unrepresentable: 'any',
    })
    return { name, json }
  })
  const names = new Map(rendered.map(({ name, json }) => [canonical(json), name]))

  function print(value: unknown): string {
    const known = names.get(canonical(value))
    return known ?? printPlain(Schema.parse(value))
  }

  function printPlain(schema: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return choices.map(print).join(' | ')
    const types = [schema.type ?? []].flat()
    return types.length === 0 ? 'unknown' : types.map((type) => printType(type, schema)).join(' | ')
  }

  function printType(type: string, schema: Schema): string {
    if (type === 'integer') return 'number'
    if (type === 'array') return `(${print(schema.items ?? {})})[]`
    if (type !== 'object') return type
    if (!schema.properties) return `Record<string, ${print(schema.additionalProperties ?? {})}>`
    const fields = Object.entries(schema.properties).map(([name, property]) => {
      const { description } = Schema.parse(property)
      const about =
        description === undefined ? '' : `  /** ${description.replaceAll('*/', '* /')} */\n`
      const isRequired = schema.required.includes(name)
      return `${about}  ${name}${isRequired ? '' : '?'}: ${print(property)}${isRequired ? '' : ' | undefined'}`
    })
    return `{\n${fields.join('\n')}\n}`
  }

  return rendered
    .map(({ name, json }) => `export type ${name} = ${printPlain(Schema.parse(json))}\n`)
    .join('\n')
}

/** Returns the text of a schema, whatever is said about the schema as a whole. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return JSON.stringify({ ...value, description: undefined })
}
