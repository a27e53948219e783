const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g

/** Returns a schema with a text for each input that the texts of a prompt name. */
export function schemaFromTexts(texts: readonly string[]): Record<string, unknown> {
  const names = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name),
  )
  const unique = [...new Set(names)]
  return {
    type: 'object',
    properties: Object.fromEntries(
      unique.map((name) => [name, { type: 'string', title: name, maxLength: 4_000 }]),
    ),
    required: unique,
    additionalProperties: false,
  }
}
