import { useEffect, useState } from 'react'
import { type Identity, type Listener, type WidgetEvents, push } from './widget-api.ts'
import { type WidgetTag, keepWidget } from './widget-tag.ts'

export type { Identity, Listener, WidgetEvents } from './widget-api.ts'
export type SohbetProps = WidgetTag

/** The state of the widget and its methods; calls wait until the widget has loaded. */
export interface SohbetHandle {
  isReady: boolean
  isOpen: boolean
  /** Messages that the visitor has not read. */
  unread: number
  open(): void
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
  /** Listens; the returned function stops. */
  on<Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): () => void
}

/** The widget, as long as this is on the page; strict mode and re-renders load it once. */
export function Sohbet({ tenant, baseUrl, theme, position, locale, nonce }: SohbetProps): null {
  useEffect(
    () => keepWidget({ tenant, baseUrl, theme, position, locale, nonce }),
    [tenant, baseUrl, theme, position, locale, nonce],
  )
  return null
}

const UNLOADED = { isReady: false, isOpen: false, unread: 0 }

/** The calls of the widget on this page, and what it shows. */
export function useSohbet(): SohbetHandle {
  const [shown, setShown] = useState(UNLOADED)
  useEffect(() => {
    const stops = [
      on('ready', () => setShown((now) => ({ ...now, isReady: true }))),
      on('opened', () => setShown((now) => ({ ...now, isOpen: true }))),
      on('closed', () => setShown((now) => ({ ...now, isOpen: false }))),
      on('unread', ({ count }) => setShown((now) => ({ ...now, unread: count }))),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return { ...CALLS, ...shown }
}

const CALLS: Omit<SohbetHandle, keyof typeof UNLOADED> = {
  open: () => push('open'),
  close: () => push('close'),
  toggle: () => push('toggle'),
  show: () => push('show'),
  hide: () => push('hide'),
  send: (text) => push('send', text),
  identify: (identity) => push('identify', identity),
  reset: () => push('reset'),
  on,
}

function on<Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): () => void {
  push('on', event, listener)
  return () => push('off', event, listener)
}
