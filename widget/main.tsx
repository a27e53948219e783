import { effect, signal } from './runtime/signals.ts'
import { render } from 'preact'
import { createApi } from './chat/api.ts'
import { createChat } from './chat/chat.ts'
import { Panel } from './ui/panel.tsx'
import type { View } from './ui/app-context.ts'
import type { Call, Embed, Run } from './host/embed.ts'
import { followEnd } from './ui/auto-scroll.ts'
import { coverPage, watchScreen } from './ui/full-screen.ts'
import { openStorage } from './host/storage.ts'
import type { LazyStrings } from './locales/strings.lazy.ts'
import { createPageEvents } from './host/page-events.ts'
import { yieldToMain } from './runtime/yield.ts'
import styles from './ui/panel.css?inline'
import { createSpeech, speakAnswers } from './ui/announcer.ts'
import type { Strings } from './locales/strings.ts'

/** Of an address that the API takes. */
const LONGEST_URL = 2_048

interface Chunk<Started> {
  start(view: View, strings: LazyStrings): Started | Promise<Started>
}

/** Puts the chat, closed, beside the launcher. What it returns carries out the page's calls. */
export async function start(
  { tenant, base, side, config, host }: Embed,
  { strings }: { strings: Strings },
): Promise<Run> {
  const root = host.shadowRoot
  const launcher = root?.querySelector('button')
  if (!root || !launcher) throw new Error('no launcher')
  const find = (selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(selector)
    return found
  }
  const storage = openStorage(tenant)
  const api = createApi(base, tenant, storage)
  const events = createPageEvents()
  // The build puts them beside this file.
  const loadMore = (): Promise<{ strings: LazyStrings }> =>
    import(/* @vite-ignore */ `./${strings.tag}-more.js`)
  /** Starts a chunk once; one that could not be loaded is tried again the next time. */
  const bring = <Started extends object | void>(
    load: () => Promise<Chunk<Started>>,
  ): (() => Promise<Started>) => {
    let coming: Promise<Started> | undefined
    return () => {
      if (!coming) {
        coming = Promise.all([load(), loadMore()]).then(async ([chunk, more]) => {
          await yieldToMain()
          return chunk.start(view, more.strings)
        })
        coming.catch(() => (coming = undefined))
      }
      return coming
    }
  }
  const keep = bring(() => import('./session/continuity.tsx'))
  const menu = bring(() => import('./features/menu.tsx'))
  const live = bring(() => import('./features/live.tsx'))
  const lead = bring(() => import('./features/lead-form.tsx'))
  const appointment = bring(() => import('./features/calendar.tsx'))
  const chat = createChat({
    api,
    storage,
    emit: events.emit,
    tenant,
    language: strings.tag,
    config,
    pageUrl: () => location.href.slice(0, LONGEST_URL),
    isHidden: () => document.hidden,
    recover: async (...refused) => (await keep()).recover(...refused),
  })
  const ending = new AbortController()
  const isFull = watchScreen(ending.signal)
  const place = document.createElement('div')
  const region = document.createElement('div')
  const say = createSpeech(region)

  const setOpen = (open: boolean): void => {
    if (open === chat.isOpen.peek()) return
    chat.setOpen(open)
    if (open) {
      view.focusInput()
      if (storage.get('session') ?? storage.get('outbox')) void keep()
    } else launcher.focus()
    events.emit(open ? 'opened' : 'closed', undefined)
  }
  const toggle = (): void => setOpen(!chat.isOpen.peek())
  const view: View = {
    tenant,
    api,
    storage,
    events,
    chat,
    strings,
    config,
    side,
    host,
    root,
    launcher,
    ending: ending.signal,
    isFull,
    hasNews: signal(false),
    parts: signal({}),
    identity: {},
    addStyles(css) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets.push(sheet)
    },
    addParts(parts) {
      view.parts.value = { ...view.parts.peek(), ...parts }
    },
    addAfter(draw) {
      view.addParts({ after: [...(view.parts.peek().after ?? []), draw] })
    },
    say,
    keep,
    live,
    openMenu: () =>
      void menu().then(
        (open) => open(),
        () => {},
      ),
    open: () => setOpen(true),
    close: () => setOpen(false),
    showEnd: () => showEnd(),
    focusInput: () => find('.composer textarea').focus(),
  }

  region.className = 'sr'
  region.role = 'status'
  region.lang = strings.tag
  view.addStyles(styles)
  host.style.setProperty('--_rounded', `${config?.theme.radius ?? 20}px`)
  root.append(place, region)
  let told = 0
  await yieldToMain()
  // Drawing all of a small panel costs less than the code that finds out what to draw.
  const stopDrawing = effect(() => render(<Panel view={view} />, place))
  await yieldToMain()
  const endings = [
    stopDrawing,
    speakAnswers(chat, strings, say),
    coverPage(find('.panel'), () => isFull.value && chat.isOpen.value),
    effect(() => {
      const isOpen = chat.isOpen.value
      const count = chat.unread.value
      const name = isOpen ? strings.close : strings.title
      launcher.ariaExpanded = `${isOpen}`
      launcher.ariaLabel = count ? `${name}, ${strings.unread(count)}` : name
      launcher.dataset['unread'] = `${count || ''}`
      // Later, because a listener may well open the panel, which this effect follows.
      if (count !== told) queueMicrotask(() => events.emit('unread', { count }))
      told = count
    }),
    // What goes on from here is loaded once there is a conversation.
    effect(() => {
      const isAnswered = chat.lines.value.length > 1
      const isAsked = chat.answer.value !== undefined
      if (chat.state.value !== 'bot' || isAnswered) void live()
      if (isAsked) void keep()
    }),
    effect(() => {
      if (chat.form.value)
        (chat.form.value === 'lead' ? lead : appointment)().catch(() => chat.openForm(undefined))
    }),
  ]
  const showEnd = followEnd(find('.scroller'), chat, view.hasNews)

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
  addEventListener('pageshow', (event) => event.persisted && void chat.run(), {
    signal: ending.signal,
  })
  if (storage.get('state')) void keep()

  const verbs: Record<string, (first: unknown, second: unknown) => void> = {
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle,
    send(text) {
      setOpen(true)
      void chat.ask(String(text))
    },
    identify(given) {
      Object.assign(view.identity, given)
      if (storage.get('token')) void keep().then((keeping) => keeping.identify())
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
