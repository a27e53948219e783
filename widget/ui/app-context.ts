import type { ReadonlySignal, Signal } from '../runtime/signals.ts'
import type { VNode } from 'preact'
import type { WidgetConfig } from '../../server/chat/schema.ts'
import type { Api } from '../chat/api.ts'
import type { Chat } from '../chat/chat.ts'
import type { Identity } from '../host/public.ts'
import type { Keeping } from '../session/continuity.tsx'
import type { WidgetStorage } from '../host/storage.ts'
import type { PageEvents } from '../host/page-events.ts'
import type { Strings } from '../locales/strings.ts'

/** Draws one part of the panel. A plain function: it is called, not mounted. */
export type Draw = () => VNode | null | false

/** What chunks that are loaded later draw, each in its place. */
export interface Parts {
  /** In the head, beside the button that closes. */
  menu?: Draw | undefined
  /** Above the conversation. */
  before?: Draw
  /** A line before a message, when there is something to say about its time. */
  time?: (at: number, before: number) => VNode | null
  /** Below the name, where it says who answers. */
  subtitle?: () => string | undefined
  /** At the end of the conversation. */
  live?: Draw
  /** Between the conversation and the suggestions: what became of the last message. */
  notices?: Draw
  /** Below the suggestions: offers and what is filled in. */
  after?: Draw[]
}

/**
 * What every component draws from. The whole panel is drawn anew, at once, when a signal that it read
 * changes: see `main.tsx`.
 */
export interface View {
  tenant: string
  api: Api
  storage: WidgetStorage
  events: PageEvents
  chat: Chat
  strings: Strings
  config: WidgetConfig | undefined
  side: string
  host: HTMLElement
  root: ShadowRoot
  launcher: HTMLButtonElement
  /** Over when the widget is taken out of the page. */
  ending: AbortSignal
  /** Whether the panel fills the screen. */
  isFull: ReadonlySignal<boolean>
  /** Whether something came below of what the visitor reads. */
  hasNews: Signal<boolean>
  parts: Signal<Parts>
  identity: Identity
  addStyles(css: string): void
  addParts(parts: Parts): void
  addAfter(draw: Draw): void
  /** Tells screen readers. */
  say(text: string): void
  /** Loads what keeps a conversation going; loads the live channel. */
  keep(): Promise<Keeping>
  live(): Promise<void>
  openMenu(): void
  open(): void
  close(): void
  showEnd(): void
  focusInput(): void
}
