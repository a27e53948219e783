import type { WidgetConfig } from '../../server/chat/schema.ts'

/** What the loader hands to the chat: its place in the page and the few facts it found out. */
export interface Embed {
  tenant: string
  /** Where the API is, without a slash at the end. */
  base: string
  side: string
  /** Undefined when it could not be fetched. */
  config?: WidgetConfig
  /** Holds the launcher in its shadow tree. */
  host: HTMLElement
}

/** A call of the API as data: the name of a method, then its arguments. */
export type Call = [name: string, first?: unknown, second?: (detail?: unknown) => void]

/** Carries out a call. */
export type Run = (call: Call) => void

/** What the loader hands to `page.ts`. */
export interface Place extends Embed {
  /** Whether `page.ts` does already what the tenant wants of its pages. */
  isFollowed?: boolean
  push(...calls: Call[]): void
}

/** What a page calls: the verbs by name, and of every tenant on the page, by its id, the same. */
export interface PageApi extends Place {
  [verb: string]: unknown
  of: Record<string, PageApi>
}

declare global {
  interface Window {
    /** The API once `/widget.js` has run; before that a page may queue calls in an array. */
    Sohbet?: (Call[] & { of?: undefined }) | PageApi
  }
  interface Navigator {
    /** Not in Firefox and Safari. */
    connection?: { saveData: boolean }
  }
}
