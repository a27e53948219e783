export const LANGUAGES = ['tr', 'en', 'de', 'ar'] as const
type Language = (typeof LANGUAGES)[number]

/** A text of visitors by language; a missing one falls back to another language. */
export type Texts = Partial<Record<Language, string>>

/** Returns the language of a site's locale among those that actions are said in. */
export function languageOfSite(locale: string | undefined): Language {
  return LANGUAGES.find((language) => locale?.startsWith(language)) ?? 'en'
}
