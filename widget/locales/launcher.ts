import type { Language } from '../embed.ts'

/** The launcher's name, which is needed before a language has been loaded. */
export const launcherWords: Record<Language, { open: string }> = {
  tr: { open: 'Sohbeti aç' },
  en: { open: 'Open chat' },
}
