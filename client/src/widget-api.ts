/** The identity of the visitor, as the page gives it. */
export interface Identity {
  name?: string
  email?: string
  phone?: string
  /** A JWT (HS256, with `sub` and `exp`) that your server signs; without it nothing is verified. */
  token?: string
}

/** Events of the widget, and what their listeners receive. */
export interface WidgetEvents {
  ready: undefined
  opened: undefined
  closed: undefined
  'message:sent': { message_id: string; text: string }
  'message:received': { message_id: string; text: string }
  unread: { count: number }
  error: { code: string }
}
export type Listener<Name extends keyof WidgetEvents> = (detail: WidgetEvents[Name]) => void

/** A call as data: the name of a verb, then its arguments. */
type WidgetCall = readonly [verb: string, ...given: unknown[]]

/** `window.Sohbet`: an array of calls before the script has loaded, the widget after that. */
interface PageSide {
  push(...calls: WidgetCall[]): unknown
  /** The widgets of the page by tenant; missing before the script has loaded. */
  of?: Readonly<Record<string, { destroy(): void }>>
}

/** Makes a call, at once or as soon as the script has loaded. */
export function push(...call: WidgetCall): void {
  const page: { Sohbet?: PageSide } = Object(window)
  page.Sohbet ??= []
  page.Sohbet.push(call)
}

/** Takes the widget of a tenant out of the page; returns whether there was one. */
export function destroyWidget(tenant: string): boolean {
  const page: { Sohbet?: PageSide } = Object(window)
  const widget = page.Sohbet?.of?.[tenant]
  widget?.destroy()
  return widget !== undefined
}
