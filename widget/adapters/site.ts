import { embed } from '../loader/loader.ts'
import type { PageApi } from '../host/embed.ts'
import type { Events, Identity } from '../host/public.ts'
import { fieldsOf, textOf } from './values.ts'

/** The widget, as the calls of another one see it. */
export interface Site {
  /** State by the last events. */
  now: { isOpen: boolean; isHidden: boolean; isTalking: boolean; unread: number; draft: string }
  /** Puts the widget into the page, unless it is there. */
  start(): void
  /** Takes it out; with `forget`, the stored conversation too. */
  stop(forget?: boolean): void
  /** Carries out a call of ours; before `start` it waits. */
  call(name: string, first?: unknown): void
  identify(given: Partial<Record<keyof Identity, unknown>>): void
  /** Puts something into the input that is not sent, once the panel is open. */
  draft(text: unknown): void
  /** Changes an attribute of the tag, at once where the widget is there. */
  set(attribute: 'locale' | 'position' | 'theme', value: unknown): void
  /** Warns once in the console that a call of the other widget is not supported. */
  miss(name: unknown): void
}

/** The tags of the locales, such as `tr|en`; put in by the build. */
declare const LOCALE_TAGS: string

type Hear = (event: keyof Events, detail: Record<string, unknown>) => void

const EVENTS = [
  ...([
    'ready',
    'opened',
    'closed',
    'message:sent',
    'message:received',
    'unread',
    'error',
  ] as const),
]
const VALUES = {
  locale: RegExp(`^(${LOCALE_TAGS})`),
  position: /^(left|right)$/,
  theme: /^(light|dark|auto)$/,
} as const

/** The widget that an adapter's own tag asks for. It is not in the page before `start`. */
export function openSite(script: HTMLScriptElement, hear: Hear): Site {
  const { tenant = '' } = script.dataset
  const missed = new Set<unknown>()
  const waiting: [string, unknown][] = []
  const now: Site['now'] = {
    isOpen: false,
    isHidden: false,
    isTalking: false,
    unread: 0,
    draft: '',
  }

  const find = (): PageApi | undefined => {
    const all = window.Sohbet
    return all && !Array.isArray(all) ? all.of[tenant] : undefined
  }

  function happen(event: keyof Events, detail: Record<string, unknown>): void {
    if (event === 'opened' || event === 'closed') now.isOpen = event === 'opened'
    if (event.startsWith('message:')) now.isTalking = true
    if (event === 'unread') now.unread = Number(detail['count'])
    if (event === 'opened') putDraft()
    hear(event, detail)
  }

  function putDraft(): void {
    const input = find()?.host.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer textarea')
    if (!input || !now.draft) return
    input.value = now.draft
    now.draft = ''
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

  const site: Site = {
    now,

    start() {
      if (find()) return
      embed(script)
      const there = find()
      if (!there) return
      for (const event of EVENTS)
        there.push(['on', event, (detail) => happen(event, fieldsOf(detail))])
      for (const [name, first] of waiting.splice(0)) there.push([name, first])
      if (now.isHidden) there.push(['hide'])
    },

    stop(forget = false) {
      find()?.push(['destroy'])
      if (now.isOpen) happen('closed', {})
      Object.assign(now, { isTalking: false, unread: 0, draft: '' })
      if (!forget) return
      try {
        for (const key of Object.keys(localStorage))
          if (key.startsWith(`sohbet:${tenant}:`)) localStorage.removeItem(key)
      } catch {
        // Storage is blocked, so it holds no conversation.
      }
    },

    call(name, first) {
      if (/show|hide/.test(name)) now.isHidden = name === 'hide'
      const there = find()
      if (there) there.push([name, first])
      else waiting.push([name, first])
    },

    identify(given) {
      const identity = Object.entries(given).flatMap(([name, value]) => {
        const text = textOf(value)
        return text ? [[name, text] as const] : []
      })
      if (identity.length > 0) site.call('identify', Object.fromEntries(identity))
    },

    draft(text) {
      now.draft = textOf(text) ?? ''
      if (now.isOpen) putDraft()
    },

    set(attribute, value) {
      const text = textOf(value)
      if (!text || !VALUES[attribute].test(text) || script.dataset[attribute] === text) return
      script.dataset[attribute] = text
      if (!find()) return
      site.stop()
      site.start()
    },

    miss(name) {
      if (!missed.has(name)) console.warn(`Sohbet: not supported: ${String(name)}`)
      missed.add(name)
    },
  }
  return site
}
