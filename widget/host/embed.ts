import type { WidgetConfig } from '../../server/tenants/schema.ts'

/** The loader's argument to the chat: its place in the page, and the settings. */
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

/** The answer to the request for the settings; `status` and `detail` are those of a refusal. */
export type Answer = WidgetConfig & { status?: number; detail?: string }

/** The loader's argument to `page-features.ts`. */
export interface Place extends Embed {
  /** Whether `page-features.ts` has started. */
  isFollowed?: boolean
  push(...calls: Call[]): void
}

/** The API of a page: the verbs by name, and in `of` the same for every tenant on the page. */
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
