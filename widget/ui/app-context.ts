import type { VNode } from 'preact'
import type { WidgetConfig } from '../../server/tenants/schema.ts'
import type { Api } from '../chat/api.ts'
import type { Chat } from '../chat/chat.ts'
import type { PageEvents } from '../host/page-events.ts'
import type { Identity } from '../host/public.ts'
import type { WidgetStorage } from '../host/storage.ts'
import type { Strings } from '../locales/strings.ts'
import type { ReadonlySignal, Signal } from '../runtime/signals.ts'

/** Draws one slot of the panel. A plain function: it is called, not mounted. */
export type RenderSlot = () => VNode | null | false

/** Places in the panel that chunks loaded later fill. */
export interface Slots {
  /** In the head, beside the button that closes. */
  menu?: RenderSlot | undefined
  /** Above the conversation. */
  before?: RenderSlot
  /** The time of a message, before it: a line of its own after a pause, else shown on demand. */
  time?: (at: number, before: number) => VNode
  /** Below the message with that id: whether it was sent or seen. */
  receipt?: { id: string; text: string } | undefined
  /** The person who answers, in place of the assistant; `picture` is an address. */
  operator?: { name: string; picture: string | undefined } | undefined
  /** Below the name: the answering party. */
  subtitle?: () => string | undefined
  /** At the end of the conversation. */
  live?: RenderSlot
  /** Between the conversation and the suggestions: the fate of the last message. */
  notices?: RenderSlot
  /** Before the input: the control that sends a file. */
  attach?: RenderSlot
  /** Below the suggestions: offers and forms. */
  after?: RenderSlot[]
}

/** The widget's place in the page, the tenant's settings, and the services that reach outside. */
export interface Host {
  tenant: string
  config: WidgetConfig | undefined
  side: string
  /** Where the API is, without a slash at the end. */
  base: string
  root: ShadowRoot
  /** The visitor, as the page has named them. */
  identity: Identity
  api: Api
  storage: WidgetStorage
  events: PageEvents
  /** Aborted when the widget is taken out of the page. */
  destroyed: AbortSignal
}

/** The panel: its strings and slots, and the verbs that move it. */
export interface Ui {
  strings: Strings
  isFullScreen: ReadonlySignal<boolean>
  /** Whether a message came below the lines that the visitor reads. */
  hasNewMessages: Signal<boolean>
  slots: Signal<Slots>
  addStyles(css: string): void
  addSlots(slots: Slots): void
  addAfter(render: RenderSlot): void
  /** Screen readers say what is added here. */
  region: HTMLElement
  /** Has screen readers say a text once. Does nothing until the continuity chunk sets it. */
  announce(text: string): void
  openMenu(): void
  open(): void
  close(): void
  scrollToEnd(): void
  focusInput(): void
}

/**
 * Shared by every component and chunk. The whole panel is drawn again, at once, when a signal that
 * its last drawing read changes: see `main.tsx`.
 */
export interface AppContext {
  host: Host
  chat: Chat
  ui: Ui
}
