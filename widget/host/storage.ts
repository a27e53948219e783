/** Values that the widget stores between pages; each message of the outbox is one. */
export type StorageKey =
  | 'token'
  | 'session'
  | 'state'
  | 'seen'
  | 'draft'
  | 'alerts'
  | `outbox:${string}`

export interface WidgetStorage {
  get(what: StorageKey): string | undefined
  /** Undefined forgets it. */
  set(what: StorageKey, value: string | undefined): void
  /** The messages of the outbox, in the order of their keys. */
  outbox(): string[]
}

/**
 * The browser's storage for one tenant on this site. What it does not take, because it is blocked or
 * full, lasts as long as the page.
 */
export function openStorage(tenant: string): WidgetStorage {
  const page = new Map<string, string>()
  const prefix = `sohbet:${tenant}:`
  const read = (key: string): string | undefined => {
    try {
      return page.get(key) ?? localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  }
  return {
    get: (what) => read(prefix + what),
    set(what, value) {
      const key = prefix + what
      page.delete(key)
      try {
        if (value === undefined) localStorage.removeItem(key)
        else localStorage.setItem(key, value)
      } catch {
        if (value !== undefined) page.set(key, value)
      }
    },
    outbox() {
      const keys = new Set(page.keys())
      try {
        for (const key of Object.keys(localStorage)) keys.add(key)
      } catch {
        // Storage is blocked, so it holds no messages.
      }
      return [...keys]
        .filter((key) => key.startsWith(`${prefix}outbox:`))
        .toSorted()
        .flatMap((key) => read(key) ?? [])
    },
  }
}
