export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORED = 'sohbet.theme'

export function storedTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system'
}

/** Applies a theme to the page and keeps it for this browser. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme)
  document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
}
