import type { ActionDefinition, ActionInputs } from './schema.ts'

/** A text that is an input, whole. */
const WHOLE = /^\{([A-Za-z]\w{0,39})\}$/

/** Returns the inputs that a body names. */
export function namesInBody(body: unknown): string[] {
  if (typeof body === 'string') {
    const name = WHOLE.exec(body)?.[1]
    return name === undefined ? [] : [name]
  }
  if (typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap(namesInBody)
}

/**
 * Returns the JSON text of a request's body, built as a value: an input never becomes part of the
 * JSON's form. Null for a request without one.
 */
export function buildBody(definition: ActionDefinition, inputs: ActionInputs): string | null {
  const { method, body } = definition
  if (method === 'GET') return null
  if (body !== null) return JSON.stringify(fill(body, inputs) ?? null)
  return method === 'DELETE' ? null : JSON.stringify(inputs)
}

function fill(part: unknown, inputs: ActionInputs): unknown {
  if (typeof part === 'string') {
    const name = WHOLE.exec(part)?.[1]
    return name === undefined ? part : inputs[name]
  }
  if (Array.isArray(part)) {
    return part.map((one) => fill(one, inputs)).filter((one) => one !== undefined)
  }
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      const filled = fill(value, inputs)
      return filled === undefined ? [] : [[key, filled]]
    }),
  )
}
