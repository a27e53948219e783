import type { PageRules } from '../../server/tenants/schema.ts'

/** Whether a path, like `/shop/cups`, matches a pattern, like `/shop/*`. */
function matchesPattern(path: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(path)
}

/** Whether the tenant wants the widget on this page. */
export function isVisibleOn({ show_on, hide_on }: PageRules, path: string): boolean {
  const isHere = (patterns: string[]): boolean =>
    patterns.some((pattern) => matchesPattern(path, pattern))
  return (!show_on || isHere(show_on)) && !(hide_on && isHere(hide_on))
}
