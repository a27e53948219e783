export const LANGUAGES = ['en', 'tr'] as const
export type Language = (typeof LANGUAGES)[number]

const STORED = 'sohbet.language'

/** Returns the language that was chosen in this browser, else the browser's own, else English. */
export function firstLanguage(): Language {
  const wished = [localStorage.getItem(STORED) ?? '', ...navigator.languages]
  for (const tag of wished) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language)
    if (found) return found
  }
  return 'en'
}

export function storeLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
}
