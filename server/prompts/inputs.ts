import type { FormatDefinition } from 'ajv'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type FieldError, invalidFields, pointer } from '../http/errors.ts'
import {
  CheckBudget,
  CheckTooExpensiveError,
  type InputsSize,
  LinearPattern,
} from './check-budget.ts'
import { findForbiddenParts, weighSchema } from './schema-rules.ts'

/** Checks inputs and inserts their defaults; returns errors by JSON Pointer into the request's body. */
export type InputsCheck = (inputs: Record<string, unknown>) => FieldError[]

const MAX_ERRORS = 20
const MAX_CACHED = 500
const MAX_INPUTS_DEPTH = 32
/** Names and texts of the inputs with their defaults, in UTF-16 units; a request body is smaller. */
const MAX_INPUTS_LENGTH = 400_000
/** Up to here all errors are collected; a larger check stops at the first. */
const MAX_STEPS_OF_ALL_ERRORS = 1_000_000
const TOO_EXPENSIVE = [{ path: '/inputs', message: 'are too large for the prompt to check' }]
const TOO_LARGE = [{ path: '/inputs', message: 'are too large or too deep' }]

type Format = Ajv2020['formats'][string]

/** Compiles JSON Schemas (2020-12) and caches the checks of recent versions. */
export class InputSchemas {
  readonly #checks = new Map<string, InputsCheck>()

  /**
   * Returns the check of a stored schema; `name` identifies its version. The rules are applied again,
   * because a schema may be older than a rule. Throws 422 for a schema that they refuse.
   */
  async checkOf(name: string, schema: Record<string, unknown>): Promise<InputsCheck> {
    const cached = this.#checks.get(name)
    if (cached) return cached
    const [error] = findForbiddenParts(schema)
    if (error !== undefined) {
      const message = `has an inputs_schema that ${error}: save it again without that`
      throw invalidFields([{ path: '/prompt_id', message }])
    }
    const check = await compile(schema)
    if (this.#checks.size >= MAX_CACHED) {
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
 * Returns the reasons against a schema, for its author; empty for a usable one. Beyond JSON Schema's
 * own rules it must describe an object, with the allowed keywords only.
 */
export async function schemaErrors(schema: Record<string, unknown>): Promise<string[]> {
  const errors = findForbiddenParts(schema)
  if (errors.length > 0) return errors
  try {
    await compile(schema)
    return []
  } catch (error) {
    return [`is not JSON Schema 2020-12: ${error instanceof Error ? error.message : 'unreadable'}`]
  }
}

/**
 * Compiles a check whose time is bounded for every schema, pattern and input. Throws for a schema that
 * the meta-schema of JSON Schema 2020-12 refuses.
 */
async function compile(schema: Record<string, unknown>): Promise<InputsCheck> {
  const weight = weighSchema(schema)
  const { open, metaSchema } = await loadAjv()
  if (metaSchema.validateSchema(schema) !== true) throw new Error(metaSchema.errorsText())
  const compileWith = (allErrors: boolean) => {
    const budget = new CheckBudget()
    return { budget, validate: open(budget, allErrors).compile(schema) }
  }
  const first = compileWith(false)
  let all: typeof first | undefined
  return (inputs) => {
    try {
      const size = measure(inputs)
      if (!size) return TOO_LARGE
      const steps = first.budget.start(weight, size)
      if (first.validate(inputs)) return measure(inputs) ? [] : TOO_LARGE
      if (steps > MAX_STEPS_OF_ALL_ERRORS) return errorsIn(first.validate)
      all ??= compileWith(true)
      all.budget.start(weight, size)
      return all.validate(inputs) ? [] : errorsIn(all.validate)
    } catch (error) {
      if (error instanceof CheckTooExpensiveError) return TOO_EXPENSIVE
      throw error
    }
  }
}

/** Returns the size of inputs; undefined for inputs that are too deep or too long. */
function measure(inputs: Record<string, unknown>): InputsSize | undefined {
  const size = { values: 0, characters: 0, longestList: 0 }
  const stack: { value: unknown; depth: number }[] = [{ value: inputs, depth: 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, depth } = next
    size.values += 1
    if (typeof value === 'string') size.characters += value.length
    if (depth > MAX_INPUTS_DEPTH || size.values + size.characters > MAX_INPUTS_LENGTH) {
      return undefined
    }
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) size.longestList = Math.max(size.longestList, value.length)
    else for (const name of Object.keys(value)) size.characters += name.length
    for (const inner of Object.values(value)) stack.push({ value: inner, depth: depth + 1 })
  }
  return size
}

interface Validators {
  /** Opens an instance for one schema, which is freed with its check. */
  open: (budget: CheckBudget, allErrors: boolean) => Ajv2020
  /** The instance that holds the meta-schema, whose compilation takes 20 times as long as a schema's. */
  metaSchema: Ajv2020
}

let validators: Validators | undefined

/** Loads the validator's modules with the first schema. */
async function loadAjv(): Promise<Validators> {
  validators ??= await importAjv()
  return validators
}

async function importAjv(): Promise<Validators> {
  const [{ Ajv2020: Ajv }, { default: formats }, { RE2JS: Re2 }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('re2js'),
  ])
  const metaSchema = new Ajv({ strict: false, logger: false })
  formats.default(metaSchema)
  const open: Validators['open'] = (budget, allErrors) => {
    const linear = (source: string) => new LinearPattern(Re2.compile(source), source, budget)
    const ajv = new Ajv({
      allErrors,
      // An inlined reference would be compiled again at each place that refers to it.
      inlineRefs: false,
      // An input may have the name of an inherited property, such as `constructor`.
      ownProperties: true,
      strict: false,
      useDefaults: true,
      messages: true,
      logger: false,
      // `metaSchema` has validated the schema.
      meta: false,
      validateSchema: false,
      code: { regExp: Object.assign(linear, { code: 'linear' }) },
    })
    formats.default(ajv)
    for (const [name, format] of Object.entries(ajv.formats)) {
      const test = textTest(format)
      if (test) ajv.addFormat(name, budget.limitFormat(test))
    }
    return ajv
  }
  return { open, metaSchema }
}

/** Returns the test of a format for texts; undefined for a format of numbers. */
function textTest(format: Format): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return format
  if (!isTextFormat(format)) return undefined
  const { validate } = format
  if (validate instanceof RegExp) return (text) => validate.test(text)
  return typeof validate === 'function' ? validate : undefined
}

function isTextFormat(format: Format): format is FormatDefinition<string> {
  return typeof format === 'object' && !(format instanceof RegExp) && format.type !== 'number'
}

function errorsIn({ errors }: ValidateFunction): FieldError[] {
  return (errors ?? []).slice(0, MAX_ERRORS).map((error) => ({
    path: `/inputs${error.instancePath}${fieldPath(error)}`,
    message: messageOf(error),
  }))
}

/** Returns the message of an error; the path already names the field. */
function messageOf({ keyword, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    return 'is not an input of this prompt'
  }
  return message ?? 'does not fit'
}

/** Returns the path of a missing or unknown field, which the instance path leaves out. */
function fieldPath({ params }: ErrorObject): string {
  const name: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return typeof name === 'string' ? `/${pointer(name)}` : ''
}
