/** A name, a time or a few words. */
export const LINE = { type: 'string', minLength: 1, maxLength: 300 }
/** The text that a prompt processes. */
export const PASSAGE = { type: 'string', minLength: 1, maxLength: 20_000 }
/** A text whose answer is about as long as the text. */
export const REWRITTEN = { type: 'string', minLength: 1, maxLength: 8_000 }
/** The output cap of most models, enough for the longest `REWRITTEN` text. */
export const REWRITTEN_TOKENS = 4_096
export const COUNT = { type: 'integer', minimum: 1, maximum: 10 }

/** Builds the JSON Schema of required and optional inputs. */
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
