import type { WidgetConfig } from '../server/chat/schema.ts'

/** Languages whose words the widget has. */
export type Language = 'en' | 'tr' | 'de' | 'ar'

/** What a page may tell about its visitor. `token` is a JWT signed by the site's server. */
export interface Identity {
  name?: string
  email?: string
  phone?: string
  token?: string
}

/** Events a page can listen to with `Sohbet.on`, and what their listeners receive. */
export interface Events {
  ready: undefined
  opened: undefined
  closed: undefined
  'message:sent': { message_id: string; text: string }
  'message:received': { message_id: string; text: string }
  unread: { count: number }
  error: { code: string }
}

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
export type Call = [name: string, first?: unknown, second?: () => void]

/** Carries out a call. */
export type Run = (call: Call) => void

/** What the loader hands to `page.ts`. */
export interface Place extends Embed {
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
    Sohbet?: Call[] | PageApi
  }
  interface Navigator {
    /** Not in Firefox and Safari. */
    connection?: { saveData: boolean }
  }
}
