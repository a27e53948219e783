import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { RE2JS } from 're2js'
import { type FieldError, pointer } from '../http/errors.ts'

/** Checks inputs; answers what does not fit, by JSON Pointer into the request's body. */
export type InputsCheck = (inputs: Record<string, unknown>) => FieldError[]

const MAX_SCHEMA_LENGTH = 32_768
const MAX_DEPTH = 12
/** Each takes a moment to be compiled, and nobody else is served meanwhile. */
const MAX_PARTS = 300
/** More than this in one list, compared with each other, would hold everybody up. */
const MAX_UNIQUE = 1_000
const MAX_ERRORS = 20
const MAX_REMEMBERED = 500
const LOCAL_DEFINITION = /^#\/\$defs\/[^/]+$/

/** Reads JSON Schemas (2020-12) and keeps the checks of those that were used last. */
export class InputSchemas {
  readonly #checks = new Map<string, InputsCheck>()

  /** The check of a schema that was judged when it was saved. `name` names its version. */
  async checkOf(name: string, schema: Record<string, unknown>): Promise<InputsCheck> {
    const known = this.#checks.get(name)
    if (known) return known
    const check = await compile(schema)
    if (this.#checks.size >= MAX_REMEMBERED) {
      for (const oldest of this.#checks.keys()) {
        this.#checks.delete(oldest)
        break
      }
    }
    this.#checks.set(name, check)
    return check
  }
}

/**
 * What makes a schema unusable, in words for its author; empty when it is good. Beyond JSON
 * Schema's own rules it must describe an object, and may ask for nothing that takes long to check.
 */
export async function schemaErrors(schema: Record<string, unknown>): Promise<string[]> {
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) {
    return [`is longer than ${MAX_SCHEMA_LENGTH} characters`]
  }
  if (schema.type !== 'object') return ['must have "type": "object"']
  const budget = { parts: MAX_PARTS }
  const faults = [...findCostlyParts(schema, budget, 0, false)]
  if (budget.parts < 0) faults.push(`has more than ${MAX_PARTS} parts`)
  if (faults.length > 0) return faults
  try {
    await compile(schema)
    return []
  } catch (error) {
    return [`is not JSON Schema 2020-12: ${error instanceof Error ? error.message : 'unreadable'}`]
  }
}

/** References to references, and comparing long lists, can take for ever. */
function* findCostlyParts(
  part: unknown,
  budget: { parts: number },
  depth: number,
  isDefinition: boolean,
): Generator<string> {
  if (typeof part !== 'object' || part === null || budget.parts < 0) return
  budget.parts -= 1
  if (depth > MAX_DEPTH) {
    yield `is deeper than ${MAX_DEPTH} levels`
    return
  }
  if ('$dynamicRef' in part || '$id' in part || '$anchor' in part || '$schema' in part) {
    const dialect = '$schema' in part ? part.$schema : undefined
    const isOnlyDialect =
      dialect === 'https://json-schema.org/draft/2020-12/schema' &&
      !('$dynamicRef' in part || '$id' in part || '$anchor' in part)
    if (!isOnlyDialect) yield 'may not use $id, $anchor, $dynamicRef or another dialect'
  }
  if ('$async' in part) yield 'may not use $async'
  if ('$ref' in part && typeof part.$ref === 'string') {
    if (isDefinition) yield 'may not refer from one definition to another'
    if (!LOCAL_DEFINITION.test(part.$ref)) yield 'may only refer to "#/$defs/…"'
  }
  if ('uniqueItems' in part && part.uniqueItems === true) {
    const max = 'maxItems' in part ? part.maxItems : undefined
    if (typeof max !== 'number' || max > MAX_UNIQUE) {
      yield `needs "maxItems" of at most ${MAX_UNIQUE} beside "uniqueItems"`
    }
  }
  for (const [key, inner] of Object.entries(part)) {
    yield* findCostlyParts(inner, budget, depth + 1, isDefinition || key === '$defs')
  }
}

async function compile(schema: Record<string, unknown>): Promise<InputsCheck> {
  const ajv = await openAjv()
  const validate = ajv.compile(schema)
  return (inputs) => (validate(inputs) ? [] : errorsIn(validate))
}

/** A validator of its own for each schema, so that it goes when the schema does. */
async function openAjv(): Promise<Ajv2020> {
  const [{ Ajv2020: Ajv }, { default: formats }, { RE2JS: Re2 }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('re2js'),
  ])
  const linear = (source: string) => new LinearPattern(Re2.compile(source), source)
  const ajv = new Ajv({
    allErrors: true,
    // An input may be called `constructor`, which every object of JavaScript has.
    ownProperties: true,
    strict: false,
    useDefaults: true,
    messages: true,
    logger: false,
    code: { regExp: Object.assign(linear, { code: 'linear' }) },
  })
  formats.default(ajv)
  return ajv
}

/** A pattern whose time grows with the text and no faster, whoever wrote it. */
class LinearPattern {
  readonly #compiled: RE2JS
  readonly #source: string

  constructor(compiled: RE2JS, source: string) {
    this.#compiled = compiled
    this.#source = source
  }

  test(text: string): boolean {
    return this.#compiled.matcher(text).find()
  }

  /** Ajv keeps patterns apart by this. */
  toString(): string {
    return this.#source
  }
}

function errorsIn({ errors }: ValidateFunction): FieldError[] {
  return (errors ?? []).slice(0, MAX_ERRORS).map((error) => ({
    path: `/inputs${error.instancePath}${fieldOf(error)}`,
    message: wordsOf(error),
  }))
}

/** What stands at the field, and not at the object around it, says no name again. */
function wordsOf({ keyword, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    return 'is not an input of this prompt'
  }
  return message ?? 'does not fit'
}

/** The field that is missing or too much; it has no place of its own in the instance. */
function fieldOf({ params }: ErrorObject): string {
  const name: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return typeof name === 'string' ? `/${pointer(name)}` : ''
}
