/** A name, a time, a few words. */
export const LINE = { type: 'string', minLength: 1, maxLength: 300 }
/** A text to work on. */
export const PASSAGE = { type: 'string', minLength: 1, maxLength: 20_000 }
/** A text of which the answer is as long as it is itself. */
export const REWRITTEN = { type: 'string', minLength: 1, maxLength: 8_000 }
/** As much as most models write, and enough for the longest of those texts. */
export const REWRITTEN_TOKENS = 4_096
export const COUNT = { type: 'integer', minimum: 1, maximum: 10 }

/** Inputs as JSON Schema: those that must be there, and those that may. */
export function fields(
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): Record<string, unknown> {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}
