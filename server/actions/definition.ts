import type { Context } from '../context.ts'
import { type FieldError, invalidFields, pointer } from '../http/errors.ts'
import { checkTarget, BLOCK_MESSAGES, type TargetPolicy } from '../net/target.ts'
import { schemaErrors } from '../prompts/inputs.ts'
import { namesInBody } from './body-template.ts'
import { ActionDefinition, type LocalizedTexts } from './schema.ts'
import type { ActionRow } from './store.ts'
import { readUrlTemplate, sampleUrl } from './url-template.ts'

const MAX_INPUTS = 10
const INPUT_NAME = /^[A-Za-z]\w{0,39}$/
const SCALARS = new Set(['string', 'integer', 'number', 'boolean'])
const FIELD = /\{\{\s*(\w+)\s*\}\}/g
const SINGLE_BRACES = /(?<!\{)\{\s*(\w+)\s*\}(?!\})/g
/** Headers that the service sends itself, and headers that would change how a request is parsed. */
const RESERVED_HEADERS =
  /^(?:host|connection|content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|user-agent|proxy-.*|webhook-.*|x-sohbet-.*)$/i

/** One input: how its schema judges it, and whether a call needs it. */
export interface InputField {
  name: string
  label: string
  schema: Record<string, unknown>
  isRequired: boolean
}

/** An action with its stored definition. */
export interface LoadedAction {
  row: Readonly<ActionRow>
  definition: ActionDefinition
  fields: readonly InputField[]
}

/** Returns a stored action; `undefined` for one that a newer rule refuses. */
export function loadAction(ctx: Context, row: Readonly<ActionRow>): LoadedAction | undefined {
  const parsed = ActionDefinition.safeParse(JSON.parse(row.definition))
  if (!parsed.success) {
    ctx.log.warn({ event: 'actions.definition_refused', action: row.id }, 'action is not usable')
    return undefined
  }
  return { row, definition: parsed.data, fields: inputFields(parsed.data.inputs_schema) }
}

/** Returns the inputs that a schema declares, in its order. */
export function inputFields(schema: Record<string, unknown>): InputField[] {
  const { properties, required } = schema
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return []
    const { title } = property
    const label = typeof title === 'string' && title !== '' ? title : name.replaceAll('_', ' ')
    return [{ name, label, schema: property, isRequired: needed.includes(name) }]
  })
}

/** Whether an input may have a name: one of every object's, such as `constructor`, is never missing. */
export function isInputName(name: string): boolean {
  return INPUT_NAME.test(name) && !(name in {})
}

/** Returns every text of a localized one. */
export function textsOf(texts: LocalizedTexts): string[] {
  return typeof texts === 'string' ? [texts] : Object.values(texts)
}

/** Throws 422 for a definition whose parts do not fit together, or whose target is refused. */
export async function checkDefinition(
  definition: ActionDefinition,
  headers: readonly string[],
  policy: TargetPolicy,
): Promise<void> {
  const errors = [
    ...(await schemaProblems(definition.inputs_schema)),
    ...urlProblems(definition, policy),
    ...namesProblems(definition),
    ...headers
      .filter((name) => RESERVED_HEADERS.test(name))
      .map((name) => ({ path: `/headers/${pointer(name)}`, message: 'is sent by this service' })),
  ]
  if (definition.method !== 'GET' && !definition.confirm) {
    errors.push({ path: '/confirm', message: 'must be true for anything but GET' })
  }
  if (definition.body !== null && definition.method === 'GET') {
    errors.push({ path: '/body', message: 'is not sent with GET' })
  }
  if (errors.length > 0) throw invalidFields(errors)
}

async function schemaProblems(schema: Record<string, unknown>): Promise<FieldError[]> {
  const path = '/inputs_schema'
  const reasons = await schemaErrors(schema)
  if (reasons.length > 0) return reasons.map((message) => ({ path, message }))
  const { properties = {}, required = [] } = schema
  const names = isObject(properties) ? Object.keys(properties) : []
  if (names.length > MAX_INPUTS) return [{ path, message: `has more than ${MAX_INPUTS} inputs` }]
  const unknown = (Array.isArray(required) ? required : []).filter((name) => !names.includes(name))
  return [
    ...unknown.map(() => ({ path, message: 'requires an input that it does not describe' })),
    ...inputFields(schema).flatMap(({ name, schema: property }) => {
      const at = `${path}/properties/${pointer(name)}`
      if (!isInputName(name)) {
        return [{ path: at, message: 'needs a name of letters and digits that means nothing else' }]
      }
      const isScalar = SCALARS.has(String(property.type)) || isScalarChoice(property.enum)
      if (isScalar && !hasReference(property)) return []
      return [{ path: at, message: 'must be a string, an integer, a number, a boolean or an enum' }]
    }),
  ]
}

function isScalarChoice(choice: unknown): boolean {
  return (
    Array.isArray(choice) &&
    choice.length > 0 &&
    choice.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  )
}

/** A property is judged alone, while a visitor is asked for it. */
function hasReference(property: Record<string, unknown>): boolean {
  return JSON.stringify(property).includes('"$ref"')
}

function urlProblems({ url }: ActionDefinition, policy: TargetPolicy): FieldError[] {
  const path = '/url'
  const names = readUrlTemplate(url)
  if (typeof names === 'string') return [{ path, message: names }]
  const check = checkTarget(sampleUrl(url), policy)
  return check.ok ? [] : [{ path, message: BLOCK_MESSAGES[check.refusal] }]
}

function namesProblems(definition: ActionDefinition): FieldError[] {
  const { url, inputs_schema: schema, body, answer, questions } = definition
  const fields = inputFields(schema)
  const known = new Set(fields.map(({ name }) => name))
  const needed = new Set(fields.filter((field) => field.isRequired).map(({ name }) => name))
  const names = readUrlTemplate(url)
  const { path: inPath, query } = typeof names === 'string' ? { path: [], query: [] } : names
  const unknown = (list: readonly string[]) => list.filter((name) => !known.has(name))
  const says = [...textsOf(answer.say), ...textsOf(answer.not_found ?? {})]
  const namesOf = (pattern: RegExp) =>
    says.flatMap((say) => [...say.matchAll(pattern)].map(([, name = '']) => name))
  return [
    ...unknown([...inPath, ...query]).map((name) => ({
      path: '/url',
      message: `names {${name}}, which is not an input`,
    })),
    ...inPath
      .filter((name) => known.has(name) && !needed.has(name))
      .map((name) => ({ path: '/url', message: `needs {${name}} to be a required input` })),
    ...unknown(namesInBody(body)).map((name) => ({
      path: '/body',
      message: `names {${name}}, which is not an input`,
    })),
    ...unknown(Object.keys(questions)).map((name) => ({
      path: `/questions/${pointer(name)}`,
      message: 'is not an input',
    })),
    ...namesOf(FIELD)
      .filter((name) => !Object.hasOwn(answer.fields, name))
      .map((name) => ({ path: '/answer/say', message: `names {{${name}}}, which is not a field` })),
    ...namesOf(SINGLE_BRACES)
      .filter((name) => Object.hasOwn(answer.fields, name))
      .map((name) => ({ path: '/answer/say', message: `has {${name}}: write {{${name}}}` })),
  ]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
