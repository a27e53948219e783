import type { LocalizedText, Tenant } from './schema.ts'

/** A stored text is an object by locale if it begins like one; other text is stored as it is. */
const OBJECT = /^\{/
const ESCAPED = /^["{]/

/** Returns the column of a text that may be given by locale. */
export function toStoredText(given: LocalizedText): string {
  if (typeof given !== 'string') return JSON.stringify(given)
  return ESCAPED.test(given) ? JSON.stringify(given) : given
}

/** Returns the text of a column as it was given; an unreadable one as it is stored. */
export function parseStoredText(stored: string): unknown {
  if (!OBJECT.test(stored) && !stored.startsWith('"')) return stored
  try {
    return JSON.parse(stored)
  } catch {
    return stored
  }
}

/**
 * Returns a text in a locale: for `de-AT` that locale's, else the language's, else the site's own,
 * else the first one.
 */
export function localize<T>(
  given: T | Partial<Record<string, T>>,
  isPlain: (value: unknown) => value is T,
  { locale, own }: { locale: string; own: string },
): T | undefined {
  if (isPlain(given)) return given
  const wanted = [locale, locale.slice(0, 2), own, own.slice(0, 2)]
  const found = wanted.map((key) => given[key]).find((text) => text !== undefined)
  return found ?? Object.values(given).find((text) => text !== undefined)
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Returns one text in a locale; empty without one. */
export function localizeText(
  given: LocalizedText,
  languages: { locale: string; own: string },
): string {
  return localize<string>(given, isText, languages) ?? ''
}

/** Returns quick replies in a locale: a list by locale, or a list of texts by locale. */
export function localizeReplies(
  given: Tenant['quick_replies'],
  languages: { locale: string; own: string },
): string[] {
  const lists: Partial<Record<string, readonly LocalizedText[]>> = Array.isArray(given)
    ? { [languages.own]: given }
    : given
  const isList = (value: unknown): value is readonly LocalizedText[] => Array.isArray(value)
  const list = localize<readonly LocalizedText[]>(lists, isList, languages) ?? []
  return list.map((text) => localizeText(text, languages)).filter((text) => text !== '')
}
