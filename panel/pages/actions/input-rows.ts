import type { Texts } from './texts.ts'

export const INPUT_KINDS = ['string', 'integer', 'number', 'boolean', 'choice'] as const
export type InputKind = (typeof INPUT_KINDS)[number]

/** One input of an action, as a row of the form. */
export interface InputRow {
  name: string
  kind: InputKind
  /** The words that ask the visitor for the input, such as “order number”. */
  title: string
  isRequired: boolean
  /** A regular expression, by which the value is found in a sentence; of texts only. */
  pattern: string
  /** Separated by commas; of choices only. */
  choices: string
  question: Texts
  /** Keywords that the form has no field for; they stay. */
  rest: Record<string, unknown>
}

export function emptyRow(): InputRow {
  return {
    name: '',
    kind: 'string',
    title: '',
    isRequired: true,
    pattern: '',
    choices: '',
    question: {},
    rest: {},
  }
}

/** Reads the rows of a schema; `rest` are its keywords beside the properties. */
export function rowsFrom(
  schema: Readonly<Record<string, unknown>>,
  questions: Readonly<Record<string, Texts>>,
): { rows: InputRow[]; rest: Record<string, unknown> } {
  const { properties, required, type: _type, ...rest } = schema
  const needed = Array.isArray(required) ? required : []
  const rows = Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
    const { type, title, pattern, enum: choices, ...others } = isRecord(property) ? property : {}
    const kind = Array.isArray(choices) ? 'choice' : INPUT_KINDS.find((each) => each === type)
    return {
      name,
      kind: kind ?? 'string',
      title: typeof title === 'string' ? title : '',
      isRequired: needed.includes(name),
      pattern: typeof pattern === 'string' ? pattern : '',
      choices: Array.isArray(choices) ? choices.join(', ') : '',
      question: questions[name] ?? {},
      rest: others,
    } satisfies InputRow
  })
  return { rows, rest }
}

/** Returns the JSON Schema of rows. */
export function schemaFrom(
  rows: readonly InputRow[],
  rest: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = rows.map((row) => {
    const { name, kind, title, pattern, choices, rest: others } = row
    const property = {
      ...others,
      ...(kind === 'choice' ? { type: 'string', enum: choicesOf(choices) } : { type: kind }),
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(pattern.trim() === '' || kind !== 'string' ? {} : { pattern: pattern.trim() }),
    }
    return [name.trim(), property] as const
  })
  const required = rows.filter((row) => row.isRequired).map(({ name }) => name.trim())
  return { type: 'object', ...rest, properties: Object.fromEntries(properties), required }
}

/** Returns the names in braces of an address or a body. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

export function choicesOf(text: string): string[] {
  return text
    .split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
