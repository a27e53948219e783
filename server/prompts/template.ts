/** `{{name}}` or `{{memory.key}}`, with or without spaces inside. */
const PLACE = /\{\{\s*(memory\.)?([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})\s*\}\}/g

/** What a template asks for. */
export interface Places {
  inputs: string[]
  facts: string[]
}

/** The inputs and the workspace facts that a template names, each once. */
export function placesOf(template: string): Places {
  const inputs = new Set<string>()
  const facts = new Set<string>()
  for (const [, memory, name = ''] of template.matchAll(PLACE)) {
    if (memory) facts.add(name)
    else inputs.add(name)
  }
  return { inputs: [...inputs], facts: [...facts] }
}

/**
 * Puts inputs and facts into a template as text. What is put in is never looked at again, so that
 * an input cannot ask for a fact. What is missing leaves nothing.
 */
export function render(
  template: string,
  inputs: Readonly<Record<string, unknown>>,
  facts: ReadonlyMap<string, string>,
): string {
  return template.replaceAll(PLACE, (_place, memory: string | undefined, name: string) => {
    if (memory) return facts.get(name) ?? ''
    return Object.hasOwn(inputs, name) ? asText(inputs[name]) : ''
  })
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.map(asText).join(', ')
  }
  return JSON.stringify(value)
}
