/**
 * Types of the page's side of the Sohbet widget. Save this file beside your scripts, or name it in
 * `"files"` of your tsconfig.json: it declares `Sohbet` and `window.Sohbet` and imports nothing.
 *
 * Before the script has loaded, queue calls:
 *
 *     window.Sohbet ??= []
 *     window.Sohbet.push(['open'])
 */
declare namespace Sohbet {
  /** The identity of the visitor, as the page gives it. */
  interface Identity {
    name?: string
    email?: string
    phone?: string
    /** A JWT (HS256, with `sub` and `exp`) that your server signs; without it nothing is verified. */
    token?: string
  }

  /** Events, and what their listeners receive. */
  interface Events {
    ready: undefined
    opened: undefined
    closed: undefined
    'message:sent': { message_id: string; text: string }
    'message:received': { message_id: string; text: string }
    unread: { count: number }
    error: { code: string }
  }
  type EventName = keyof Events
  type Listener<Name extends EventName> = (detail: Events[Name]) => void

  /** The verbs; each can also be queued with `push`. */
  interface Calls {
    /** Opens the panel. */
    open(): void
    /** Closes the panel. */
    close(): void
    toggle(): void
    /** Shows the launcher. */
    show(): void
    /** Hides the launcher. */
    hide(): void
    /** Opens the panel and writes as the visitor. */
    send(text: string): void
    /** Prefills the forms, and is shown to the team once the visitor has written. */
    identify(identity: Identity): void
    /** Forgets the visitor and the conversation in this browser: call it when they sign out. */
    reset(): void
    on<Name extends EventName>(event: Name, listener: Listener<Name>): void
    off<Name extends EventName>(event: Name, listener: Listener<Name>): void
    /** Takes everything out of the page; the tag can be added again. */
    destroy(): void
  }

  type Verb = Exclude<keyof Calls, 'on' | 'off'>
  /** A call as data: the name of a verb, then its arguments. */
  type Call =
    | { [Name in Verb]: [verb: Name, ...given: Parameters<Calls[Name]>] }[Verb]
    | {
        [Name in EventName]: [verb: 'on' | 'off', event: Name, listener: Listener<Name>]
      }[EventName]

  /** The interface before and after the script has loaded. */
  interface Pushing {
    push<Name extends EventName>(listen: ['on' | 'off', Name, Listener<Name>]): unknown
    push(...calls: Call[]): unknown
  }

  /** `window.Sohbet` before the script has loaded: an array. */
  interface Queue extends Pushing {
    readonly length: number
  }

  /** `window.Sohbet` after that. */
  interface Api extends Pushing, Calls {
    /** Of every tenant on the page, by its id, the same calls. */
    readonly of: Readonly<Record<string, Api>>
    /** The id of the tenant that these calls are for. */
    readonly tenant: string
  }
}

/** As it is after `ready`. */
declare const Sohbet: Sohbet.Api

interface Window {
  Sohbet?: Sohbet.Api | Sohbet.Queue
}
