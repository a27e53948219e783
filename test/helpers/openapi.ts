/** The OpenAPI document with each schema and response in the place of its reference. */
export function inlineReferences(document: unknown): unknown {
  const text = JSON.stringify(document, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const { $ref: target, ...said } = value
    const [, kind, name] = /^#\/components\/(schemas|responses)\/(\w+)$/.exec(String(target)) ?? []
    if (kind === undefined || name === undefined) return value
    const found = ['components', kind, name].reduce<unknown>((at, key) => Object(at)[key], document)
    return { ...Object(found), ...said }
  })
  return JSON.parse(text)
}
