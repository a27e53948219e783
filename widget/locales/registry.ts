/**
 * The locales of the widget. Each has its strings in `<tag>.ts` and `<tag>.lazy.ts`, which the build
 * makes chunks of their own; the loader and the adapters get the tags from the build.
 */
export const LOCALES = ['tr', 'en', 'de', 'ar'] as const

export type Locale = (typeof LOCALES)[number]

/** The name of the button that puts an invitation away: it is shown before any strings are loaded. */
export const DISMISS_INVITATION: Record<Locale, string> = {
  tr: 'Daveti kapat',
  en: 'Dismiss invitation',
  de: 'Einladung schließen',
  ar: 'إغلاق الدعوة',
}
