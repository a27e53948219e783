import { effect, signal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { createApi } from './api.ts'
import { createChat } from './chat.ts'
import { Panel } from './components/panel.tsx'
import type { View } from './components/view.ts'
import type { Call, Embed, Identity, Run } from './embed.ts'
import { followEnd } from './follow.ts'
import { coverPage, watchScreen } from './full-screen.ts'
import { openMemory } from './memory.ts'
import { createPageEvents } from './page-events.ts'
import styles from './panel.css?inline'
import { startSpeech } from './speech.ts'
import type { Words } from './words.ts'

/** Of an address that the API takes. */
const LONGEST_URL = 2_048

/** Puts the chat, closed, beside the launcher. What it returns carries out the page's calls. */
export function start({ tenant, base, side, config, host }: Embed, words: Words): Run {
  const root = host.shadowRoot
  const launcher = root?.querySelector('button')
  if (!root || !launcher) throw new Error('no launcher')
  const find = (selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(selector)
    return found
  }
  const addStyles = (css: string): void => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
  }
  const memory = openMemory(tenant)
  const api = createApi(base, tenant, memory)
  const events = createPageEvents()
  const chat = createChat({
    api,
    memory,
    emit: events.emit,
    tenant,
    language: words.tag,
    config,
    pageUrl: () => location.href.slice(0, LONGEST_URL),
  })
  const ending = new AbortController()
  const isFull = watchScreen(ending.signal)
  const hasNews = signal(false)
  const ContactForm = signal<ComponentType | undefined>(undefined)
  const place = document.createElement('div')
  const live = document.createElement('div')
  let identity: Identity = {}

  const setOpen = (open: boolean): void => {
    if (open === chat.isOpen.peek()) return
    chat.setOpen(open)
    if (open) {
      view.focusInput()
      void chat.restore()
    } else launcher.focus()
    events.emit(open ? 'opened' : 'closed', undefined)
  }
  const toggle = (): void => setOpen(!chat.isOpen.peek())
  const view: View = {
    chat,
    words,
    config,
    side,
    isFull,
    hasNews,
    ContactForm,
    close: () => setOpen(false),
    showEnd: () => showEnd(),
    focusInput: () => find('.composer textarea').focus(),
  }

  live.className = 'sr'
  live.role = 'status'
  addStyles(styles)
  host.style.setProperty('--_rounded', `${config?.theme.radius ?? 20}px`)
  root.append(place, live)
  const endings = [
    // Drawing all of a small panel costs less than the code that finds out what to draw.
    effect(() => render(<Panel view={view} />, place)),
    startSpeech(chat, words, live),
    coverPage(find('.panel'), () => isFull.value && chat.isOpen.value),
    effect(() => {
      const isOpen = chat.isOpen.value
      const count = chat.unread.value
      const name = isOpen ? words.close : words.open
      launcher.ariaExpanded = `${isOpen}`
      launcher.ariaLabel = count ? `${name}, ${words.unread(count)}` : name
      launcher.dataset['unread'] = `${count || ''}`
    }),
    effect(() => {
      if (chat.form.value !== 'open' || ContactForm.peek()) return
      import('./components/lead-form.tsx').then((form) => {
        addStyles(form.styles)
        ContactForm.value = form.createLeadForm(view, () => identity)
      }, chat.withdrawForm)
    }),
  ]
  const showEnd = followEnd(find('.scroller'), chat, hasNews)

  launcher.onclick = toggle
  // What is typed here is none of the page's shortcuts.
  for (const type of ['keydown', 'keyup', 'keypress'])
    root.addEventListener(type, (event) => event.stopPropagation())
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !event.isComposing)
      setOpen(false)
  })
  // An open stream would keep the page out of the back/forward cache.
  addEventListener('pagehide', api.abort, { signal: ending.signal })
  addEventListener('pageshow', (event) => event.persisted && void chat.retry(), {
    signal: ending.signal,
  })

  const verbs: Record<string, (first: unknown, second: unknown) => void> = {
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle,
    send(text) {
      setOpen(true)
      void chat.restore().then(() => chat.ask(String(text)))
    },
    identify(given) {
      if (typeof given === 'object') identity = given ?? {}
    },
    on: events.on,
    off: events.off,
    destroy() {
      for (const end of endings) end()
      ending.abort()
      api.abort()
    },
  }
  return ([name, first, second]: Call) => verbs[name]?.(first, second)
}
