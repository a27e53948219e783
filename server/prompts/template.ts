import { invalidFields } from '../http/errors.ts'
import type { Template } from './library/prompt.ts'

/** `{{name}}` or `{{memory.key}}`, with or without spaces inside. */
const PLACEHOLDER = /\{\{\s*(memory\.)?([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})\s*\}\}/g

const MAX_INSERTED_LENGTH = 1_000_000

/** The placeholders of a template. */
export interface Placeholders {
  inputs: string[]
  facts: string[]
}

/** Returns the inputs and workspace facts that a template names, each once. */
export function parsePlaceholders(template: Template): Placeholders {
  const inputs = new Set<string>()
  const facts = new Set<string>()
  for (const [, memory, name = ''] of joinParts(template).matchAll(PLACEHOLDER)) {
    if (memory) facts.add(name)
    else inputs.add(name)
  }
  return { inputs: [...inputs], facts: [...facts] }
}

/**
 * Renders a template with inputs and facts as text. Inserted text is not scanned for placeholders,
 * so that an input cannot read a fact. Missing values render as empty. Throws 422 for too much text.
 */
export function render(
  template: Template,
  inputs: Readonly<Record<string, unknown>>,
  facts: ReadonlyMap<string, string>,
): string {
  const isInParts = typeof template !== 'string'
  let text = ''
  let insertedLength = 0
  for (const part of isInParts ? template : [template]) {
    let hasGap = false
    const filled = part.replaceAll(
      PLACEHOLDER,
      (_match, memory: string | undefined, name: string) => {
        const value = memory ? (facts.get(name) ?? '') : inputOf(inputs, name)
        hasGap ||= value === ''
        insertedLength += value.length
        // A template may repeat a long input thousands of times.
        if (insertedLength > MAX_INSERTED_LENGTH) {
          throw invalidFields([
            { path: '/inputs', message: 'make the text of the prompt too long' },
          ])
        }
        return value
      },
    )
    if (!(isInParts && hasGap)) text += filled
  }
  return text
}

/** Joins the parts of a template. */
export function joinParts(template: Template): string {
  return typeof template === 'string' ? template : template.join('')
}

function inputOf(inputs: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(inputs, name) ? asText(inputs[name]) : ''
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.map(asText).join(', ')
  }
  return JSON.stringify(value)
}
