import { batch, signal, type ReadonlySignal } from '@preact/signals'

/** The panel's own address; every path in the panel is relative to it. */
export const BASE = '/panel'

export interface Router {
  /** Below `/panel`, without a slash at the end: `/` or `/inbox/ses_…`. */
  readonly path: ReadonlySignal<string>
  readonly query: ReadonlySignal<URLSearchParams>
  /** Without `#`; secrets of links in mails arrive there. */
  readonly hash: string
  go(path: string, options?: { replace?: boolean }): void
  /** Changes filters in the address; an empty value removes one. Replaces the history entry. */
  setQuery(changes: Record<string, string | undefined>): void
}

/** Follows the address bar. Links below `/panel` are taken over while no modifier is pressed. */
export function openRouter(): Router {
  const path = signal(pathOf(location.pathname))
  const query = signal(new URLSearchParams(location.search))
  const { hash } = location

  function follow(): void {
    batch(() => {
      path.value = pathOf(location.pathname)
      query.value = new URLSearchParams(location.search)
    })
  }

  function go(target: string, { replace = false } = {}): void {
    const url = BASE + (target === '/' ? '' : target)
    if (replace) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    const previous = path.value
    follow()
    if (path.value !== previous) scrollTo(0, 0)
  }

  addEventListener('popstate', follow)
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target !== '' || link.hasAttribute('download')) return
    if (link.origin !== location.origin) return
    if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return
    event.preventDefault()
    go(pathOf(link.pathname) + link.search)
  })

  return {
    path,
    query,
    hash: hash.slice(1),
    go,
    setQuery(changes) {
      const next = new URLSearchParams(query.value)
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      const search = next.toString()
      go(path.value + (search === '' ? '' : `?${search}`), { replace: true })
    },
  }
}

function pathOf(pathname: string): string {
  const below = pathname.slice(BASE.length).replace(/\/+$/, '')
  return below === '' ? '/' : below
}

/** Returns the parameters of a path that fits the pattern, such as `/inbox/:id?`. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  const wanted = pattern.split('/').filter((part) => part !== '')
  const given = path.split('/').filter((part) => part !== '')
  if (given.length > wanted.length) return undefined
  for (const [index, part] of wanted.entries()) {
    const value = given[index]
    if (part.startsWith(':')) {
      if (value === undefined && !part.endsWith('?')) return undefined
      if (value !== undefined) params[part.replace(/^:|\?$/g, '')] = decodeURIComponent(value)
    } else if (part !== value) return undefined
  }
  return params
}
