export const LANGUAGES = ['en', 'tr'] as const
export type Language = (typeof LANGUAGES)[number]

const STORED = 'sohbet.language'

/** Returns the language that was chosen in this browser, else the browser's own, else English. */
export function firstLanguage(): Language {
  const wished = [localStorage.getItem(STORED) ?? '', ...navigator.languages]
  for (const tag of wished) {
    const found = languageOf(tag)
    if (found) return found
  }
  return 'en'
}

/** Returns the panel's language for a tag such as `tr-TR`, if there is one. */
export function languageOf(tag: string): Language | undefined {
  return LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language)
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
}
