import type { Language } from '../lib/text/language.ts'
import { oneLine } from '../lib/text/typed-text.ts'
import { type ActionDefinition, type LocalizedTexts, MAX_SHOWN_LENGTH } from './schema.ts'

const FIELD = /\{\{\s*(\w+)\s*\}\}/g
const HTTPS = /^https:\/\/[^\s()<>[\]*`"'{}|\\]+$/
/** Together with a scheme, these make markdown; an address in the middle of a text is not a link. */
const SCHEME = /\b(?:[a-z][a-z0-9+.-]*:\/\/|javascript:|data:|mailto:|vbscript:)/gi
const NOTHING = '–'

/** Returns a value as one line of plain text: no markup, no link but an https address that is all of it. */
export function shownText(value: unknown): string {
  const line = oneLine(String(value), MAX_SHOWN_LENGTH)
  if (HTTPS.test(line)) return line
  return line
    .replaceAll(SCHEME, '')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replaceAll(/[`*<>|{}]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * Returns the fields of a response as they are shown; the name of the first that is missing, or that
 * is neither a text, a number nor a switch.
 */
export function readFields(
  { answer }: ActionDefinition,
  response: unknown,
): { shown: Record<string, string> } | { missing: string } {
  const shown: Record<string, string> = {}
  for (const [name, place] of Object.entries(answer.fields)) {
    const value = valueAt(response, place)
    if (value === undefined || (typeof value === 'object' && value !== null)) {
      return { missing: name }
    }
    shown[name] = value === null ? NOTHING : shownText(value) || NOTHING
  }
  return { shown }
}

function valueAt(document: unknown, place: string): unknown {
  let value = document
  for (const token of place.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Array.isArray(value)
      ? value[Number(key)]
      : Object.getOwnPropertyDescriptor(value, key)?.value
  }
  return value
}

/** Returns a localized text in a language: else in English, else in whichever it has. */
export function inLanguage(texts: LocalizedTexts, language: Language): string {
  if (typeof texts === 'string') return texts
  return texts[language] ?? texts.en ?? Object.values(texts)[0] ?? ''
}

/** Returns a template with its fields, which cannot hold a template themselves. */
export function fillText(template: string, shown: Readonly<Record<string, string>>): string {
  return template.replaceAll(FIELD, (_all, name: string) => shown[name] ?? NOTHING)
}
