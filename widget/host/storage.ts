/** Values that the widget stores between pages. */
export type StorageKey = 'token' | 'session' | 'state' | 'seen' | 'outbox' | 'draft' | 'alerts'

export interface WidgetStorage {
  get(what: StorageKey): string | undefined
  /** Undefined forgets it. */
  set(what: StorageKey, value: string | undefined): void
}

/**
 * The browser's storage for one tenant on this site. Where it is blocked or full, the values last
 * as long as the page.
 */
export function openStorage(tenant: string): WidgetStorage {
  const page = new Map<StorageKey, string>()
  const keyOf = (what: StorageKey): string => `sohbet:${tenant}:${what}`
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
        // StorageKey for this page at least.
      }
    },
  }
}
