/** What the widget keeps between pages. */
export type Kept = 'token' | 'session' | 'state' | 'seen' | 'outbox' | 'draft' | 'alerts'

export interface Memory {
  get(what: Kept): string | undefined
  /** Undefined forgets it. */
  set(what: Kept, value: string | undefined): void
}

/**
 * The browser's storage for one tenant on this site. Where it is blocked or full, what is kept lasts
 * as long as the page.
 */
export function openMemory(tenant: string): Memory {
  const page = new Map<Kept, string>()
  const keyOf = (what: Kept): string => `sohbet:${tenant}:${what}`
  return {
    get(what) {
      try {
        return localStorage.getItem(keyOf(what)) ?? page.get(what)
      } catch {
        return page.get(what)
      }
    },
    set(what, value) {
      if (value === undefined) page.delete(what)
      else page.set(what, value)
      try {
        if (value === undefined) localStorage.removeItem(keyOf(what))
        else localStorage.setItem(keyOf(what), value)
      } catch {
        // Kept for this page at least.
      }
    },
  }
}
