import type { ReadonlySignal, Signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { WidgetConfig } from '../../server/chat/schema.ts'
import type { Chat } from '../chat.ts'
import type { Words } from '../words.ts'

/**
 * What every component draws from. The whole panel is drawn anew, at once, when a signal that it read
 * changes: see `main.tsx`.
 */
export interface View {
  chat: Chat
  words: Words
  config: WidgetConfig | undefined
  side: string
  /** Whether the panel fills the screen. */
  isFull: ReadonlySignal<boolean>
  /** Whether something came below of what the visitor reads. */
  hasNews: Signal<boolean>
  /** Undefined until the contact form has been loaded. */
  ContactForm: Signal<ComponentType | undefined>
  close(): void
  showEnd(): void
  focusInput(): void
}
