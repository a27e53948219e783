/** A field of the form that a prompt's `inputs_schema` describes. */
export interface InputField {
  name: string
  title: string
  hint: string
  kind: 'line' | 'text' | 'choice' | 'number' | 'check' | 'list' | 'json'
  options: string[]
  isRequired: boolean
  initial: string
}

/** The entered values, by the name of the input. A ticked box is `true`. */
export type Typed = Record<string, string>

/** A text may be longer than this in a field of one line. */
const LONG_TEXT = 200

/** Returns the fields of a schema, required ones first. What no field fits is typed as JSON. */
export function fieldsOf(schema: Record<string, unknown>): InputField[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = schema['properties']
  if (!isRecord(properties)) return []
  return Object.entries(properties)
    .map(([name, property]) => {
      const rules = isRecord(property) ? property : {}
      return {
        name,
        title: textOf(rules['title']) || name,
        hint: textOf(rules['description']),
        kind: kindOf(rules),
        options: Array.isArray(rules['enum']) ? rules['enum'].map(String) : [],
        isRequired: required.has(name),
        initial: typedFrom(rules['default']),
      }
    })
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

function kindOf(rules: Record<string, unknown>): InputField['kind'] {
  if (Array.isArray(rules['enum'])) return 'choice'
  const items = rules['items']
  switch (rules['type']) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'check'
    case 'array':
      return isRecord(items) && items['type'] === 'string' ? 'list' : 'json'
    case 'string':
      return Number(rules['maxLength'] ?? LONG_TEXT + 1) > LONG_TEXT ? 'text' : 'line'
    default:
      return 'json'
  }
}

/** Returns the value of an input as it is typed. */
export function typedFrom(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.join('\n')
  }
  return JSON.stringify(value)
}

/** Returns the inputs to send; empty fields are left out. Throws SyntaxError for broken JSON. */
export function inputsFrom(fields: readonly InputField[], typed: Typed): Record<string, unknown> {
  const inputs: Record<string, unknown> = {}
  for (const { name, kind } of fields) {
    const text = typed[name] ?? ''
    if (text.trim() === '') continue
    if (kind === 'number') inputs[name] = Number(text)
    else if (kind === 'check') inputs[name] = text === 'true'
    else if (kind === 'list') inputs[name] = text.split('\n').filter((line) => line.trim() !== '')
    else inputs[name] = kind === 'json' ? JSON.parse(text) : text
  }
  return inputs
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
