import type { ActionInputs } from './schema.ts'
import { MAX_INPUT_LENGTH } from './schema.ts'

const PLACEHOLDER = /\{([^{}]*)\}/g
const NAME = /^[A-Za-z]\w{0,39}$/
const PARTS = /^(https?:\/\/[^/?#{}\\]+)(\/[^?#]*)?(\?[^#]*)?$/i
/** What would leave the segment, or end the path, at one of the services behind the address. */
const UNSAFE_IN_PATH = /[/\\?#%;\p{Cc}\p{Cf}]|\.\./u
const DOTS = /^(?:\.|%2e){1,2}$/i

/** An address with placeholders, in its parts. */
interface UrlTemplate {
  /** Scheme and host, without a placeholder. */
  origin: string
  segments: string[]
  query: { key: string; value: string }[]
}

/** The inputs that an address names; those of the path are needed in every call. */
export interface TemplateNames {
  path: string[]
  query: string[]
}

/** Returns the names in an address, or the reason against it, for its author. */
export function readUrlTemplate(text: string): TemplateNames | string {
  const template = parseTemplate(text)
  if (!template) return 'may have {inputs} in segments of the path and in values of the query only'
  const path = template.segments.flatMap(namesIn)
  const query = template.query.flatMap(({ value }) => namesIn(value))
  const odd = [...template.segments, ...template.query.map(({ value }) => value)].some((part) =>
    /[{}]/.test(part.replaceAll(PLACEHOLDER, '')),
  )
  const isKeyed = template.query.some(({ key }) => /[{}]/.test(key))
  if (odd || isKeyed || ![...path, ...query].every((name) => NAME.test(name))) {
    return 'has braces that name no input'
  }
  return { path, query }
}

/** Returns the address with a harmless word in place of each input, for the check of the target. */
export function sampleUrl(text: string): string {
  return text.replaceAll(PLACEHOLDER, 'x')
}

/**
 * Fills an address with inputs. Returns `undefined` for an input that cannot stand in a path: empty,
 * or with what could end the segment. A value of the query that was not given is left out.
 */
export function fillUrl(text: string, inputs: ActionInputs): string | undefined {
  const template = parseTemplate(text)
  if (!template) return undefined
  const segments: string[] = []
  for (const segment of template.segments) {
    const names = namesIn(segment)
    if (!names.every((name) => isPathValue(inputs[name]))) return undefined
    const filled = fillPart(segment, inputs)
    if (names.length > 0 && DOTS.test(filled)) return undefined
    segments.push(filled)
  }
  const query = template.query
    .filter(({ value }) => namesIn(value).every((name) => inputs[name] !== undefined))
    .map(({ key, value }) => (value === '' ? key : `${key}=${fillPart(value, inputs)}`))
  const path = template.segments.length > 0 ? `/${segments.join('/')}` : ''
  const filled = `${template.origin}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return isSamePlace(filled, sampleUrl(text)) ? filled : undefined
}

function parseTemplate(text: string): UrlTemplate | undefined {
  const [, origin, path = '', search = ''] = PARTS.exec(text) ?? []
  if (origin === undefined || path.includes('\\')) return undefined
  const query = search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      return at === -1
        ? { key: pair, value: '' }
        : { key: pair.slice(0, at), value: pair.slice(at + 1) }
    })
  return { origin, segments: path === '' ? [] : path.slice(1).split('/'), query }
}

function namesIn(part: string): string[] {
  return [...part.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/** Whether a value can stand in a segment of a path. */
export function isPathValue(value: ActionInputs[string] | undefined): boolean {
  if (value === undefined) return false
  const text = String(value)
  return (
    text.trim() !== '' &&
    text.length <= MAX_INPUT_LENGTH &&
    text.isWellFormed() &&
    !UNSAFE_IN_PATH.test(text)
  )
}

function fillPart(part: string, inputs: ActionInputs): string {
  return part.replaceAll(PLACEHOLDER, (_all, name: string) =>
    encodeURIComponent(String(inputs[name] ?? '').toWellFormed()),
  )
}

/** Whether a filled address has the origin and as many segments as its template. */
function isSamePlace(filled: string, sample: string): boolean {
  const [one, other] = [URL.parse(filled), URL.parse(sample)]
  const count = (url: URL) => url.pathname.split('/').length
  return (
    one !== null && other !== null && one.origin === other.origin && count(one) === count(other)
  )
}
