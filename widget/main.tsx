import { effect, signal } from './runtime/signals.ts'
import { render } from 'preact'
import { createApi } from './chat/api.ts'
import { createChat } from './chat/chat.ts'
import { Panel } from './ui/panel.tsx'
import type { AppContext, Ui } from './ui/app-context.ts'
import type { Call, Embed, Run } from './host/embed.ts'
import type { Identity } from './host/public.ts'
import { createAutoScroll } from './ui/auto-scroll.ts'
import { coverPage, watchScreen } from './ui/full-screen.ts'
import { followPageScheme } from './host/page-scheme.ts'
import { openStorage } from './host/storage.ts'
import type { LazyStrings } from './locales/strings.lazy.ts'
import { createPageEvents } from './host/page-events.ts'
import { yieldToMain } from './runtime/yield.ts'
import styles from './ui/panel.css?inline'
import type { Strings } from './locales/strings.ts'

/** The API takes addresses of the web, up to 2,048 characters: not `about:srcdoc` and not files. */
const WEB_ADDRESS = /^http.{0,2044}/

// A pointer or a finger on the page: each panel is drawn, hidden, and the click that may come only shows it.
addEventListener(
  'pointerover',
  () => {
    const { of = {} } = window.Sohbet ?? {}
    for (const tenant in of) of[tenant]?.push(['standby'])
  },
  { once: true },
)

interface Chunk<Started, Needed> {
  start(app: AppContext, strings: LazyStrings, needed: Needed): Started | Promise<Started>
}

/**
 * Puts the chat beside the launcher; open at once where one of `waiting` opens it. Returns the function
 * that carries out the page's calls.
 */
export async function start(
  embed: Embed,
  { strings }: { strings: Strings },
  waiting: readonly Call[],
): Promise<Run> {
  const { tenant, base, side, config, host } = embed
  const root = host.shadowRoot
  if (!root) throw new Error('no launcher')
  const find = (selector: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(selector)
    if (!found) throw new Error(selector)
    return found
  }
  const launcher = find('button')
  launcher.ariaHasPopup = 'dialog'
  const storage = openStorage(tenant)
  const identity: Identity = {}
  const api = createApi(base, tenant, storage)
  const events = createPageEvents()
  // The build puts them beside this file.
  const loadLazyStrings = (): Promise<{ strings: LazyStrings }> =>
    import(/* @vite-ignore */ `./${strings.tag}-lazy.js`)
  /** Starts a chunk once, with its dependency; a failed load is tried again on the next call. */
  const startOnce = <Started extends object | void, Needed>(
    load: () => Promise<Chunk<Started, Needed>>,
    need: () => Needed | Promise<Needed>,
  ): (() => Promise<Started>) => {
    let coming: Promise<Started> | undefined
    return () => {
      if (!coming) {
        coming = Promise.all([load(), loadLazyStrings(), need()]).then(
          async ([chunk, lazy, needed]) => {
            await yieldToMain()
            return chunk.start(app, lazy.strings, needed)
          },
        )
        coming.catch(() => (coming = undefined))
      }
      return coming
    }
  }
  const startLive = (): Promise<void> => live()
  const continuity = startOnce(
    () => import('./session/continuity.tsx'),
    () => startLive,
  )
  const menu = startOnce(() => import('./features/menu.tsx'), continuity)
  const live = startOnce(() => import('./features/live.tsx'), continuity)
  const welcome = startOnce(
    () => import('./features/welcome.tsx'),
    () => {},
  )
  const lead = startOnce(() => import('./features/lead-form.tsx'), continuity)
  const appointment = startOnce(() => import('./features/calendar.tsx'), continuity)
  const chat = createChat({
    api,
    storage,
    emit: events.emit,
    tenant,
    language: strings.tag,
    config,
    pageUrl: () => WEB_ADDRESS.exec(location.href)?.[0],
    isHidden: () => document.hidden,
    recover: async (...refused) => (await continuity()).recover(...refused),
  })
  const destroyed = new AbortController()
  const isFullScreen = watchScreen(destroyed.signal)
  const place = document.createElement('div')
  const region = document.createElement('div')

  let isOpened = false
  const setOpen = (open: boolean): void => {
    if (open === isOpened) return
    isOpened = open
    chat.setOpen(open)
    if (open) {
      ui.focusInput()
      setTimeout(() => {
        lookAtPage()
        const isBegun = storage.get('session') ?? storage.outbox()[0]
        void (isBegun ? continuity : welcome)().catch(() => {})
      })
    } else launcher.focus()
    events.emit(open ? 'opened' : 'closed', undefined)
  }
  const toggle = (): void => setOpen(!isOpened)
  const ui: Ui = {
    strings,
    isFullScreen,
    hasNewMessages: signal(false),
    slots: signal({}),
    addStyles(css) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      root.adoptedStyleSheets.push(sheet)
    },
    addSlots(slots) {
      ui.slots.value = { ...ui.slots.peek(), ...slots }
    },
    addAfter(slot) {
      ui.addSlots({ after: [...(ui.slots.peek().after ?? []), slot] })
    },
    region,
    announce: () => {},
    openMenu: () =>
      void menu().then(
        (open) => open(),
        () => {},
      ),
    open: () => setOpen(true),
    close: () => setOpen(false),
    scrollToEnd: () => scrollToEnd(),
    focusInput: () => find('.composer textarea').focus(),
  }
  const app: AppContext = {
    host: {
      tenant,
      config,
      side,
      base,
      root,
      identity,
      api,
      storage,
      events,
      destroyed: destroyed.signal,
    },
    chat,
    ui,
  }

  region.className = 'sr'
  region.role = 'status'
  region.lang = strings.tag
  ui.addStyles(styles)
  host.style.setProperty('--_rounded', `${config?.theme.radius ?? 20}px`)
  root.append(place, region)
  const lookAtPage = followPageScheme(root, region, destroyed.signal)
  let told = 0
  await yieldToMain()
  // A panel that is opened after its first layout is laid out twice.
  const isAwaited = waiting.some(([name]) => name === 'open')
  chat.setOpen(isAwaited)
  // Drawing all of a small panel costs less than code for finer updates would.
  const stopDrawing = effect(() => render(<Panel app={app} />, place))
  // At once: the panel may be painted before the next task.
  if (isAwaited) ui.focusInput()
  await yieldToMain()
  const panel = find('.panel')
  const endings = [
    stopDrawing,
    coverPage(panel, () => isFullScreen.value && chat.isOpen.value),
    effect(() => {
      const isOpen = chat.isOpen.value
      const count = chat.unread.value
      const name = isOpen ? strings.close : strings.title
      panel.hidden = !isOpen
      launcher.ariaExpanded = `${isOpen}`
      launcher.ariaLabel = count ? `${name}, ${strings.unread(count)}` : name
      launcher.dataset['unread'] = `${count || ''}`
      // Later, because a listener may well open the panel, which this effect follows.
      if (count !== told) queueMicrotask(() => events.emit('unread', { count }))
      told = count
    }),
    // The live channel and the continuity are loaded once there is a conversation.
    effect(() => {
      const isAnswered = chat.lines.value.length > 1
      const isAsked = chat.answer.value !== undefined
      if (chat.state.value !== 'bot' || isAnswered) void live()
      if (isAsked) void continuity()
    }),
    effect(() => {
      if (chat.form.value)
        (chat.form.value === 'lead' ? lead : appointment)().catch(() => chat.openForm(undefined))
    }),
  ]
  const scrollToEnd = createAutoScroll(find('.scroller'), chat, ui.hasNewMessages)

  launcher.onclick = toggle
  // Typing in the widget must not trigger the page's shortcuts, nor must a dialog of the page that
  // keeps the focus take it back.
  for (const type of ['keydown', 'keyup', 'keypress', 'focusin', 'focusout'])
    root.addEventListener(type, (event) => event.stopPropagation())
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape' && !event.isComposing)
      setOpen(false)
  })
  // An open stream would keep the page out of the back/forward cache.
  addEventListener('pagehide', api.abort, { signal: destroyed.signal })
  addEventListener('pageshow', (event) => event.persisted && void chat.run(), {
    signal: destroyed.signal,
  })
  if (storage.get('state')) void continuity()

  const verbs: Record<string, (first: unknown, second: unknown) => void> = {
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle,
    send(text) {
      setOpen(true)
      void chat.ask(String(text))
    },
    identify(given) {
      Object.assign(identity, given)
      if (storage.get('token')) void continuity().then((kept) => kept.identify())
    },
    reset() {
      for (const part of ['name', 'email', 'phone', 'token'] as const) delete identity[part]
      api.abort()
      chat.forgetVisitor()
    },
    on: events.on,
    off: events.off,
    destroy() {
      for (const end of endings) end()
      destroyed.abort()
      api.abort()
    },
  }
  return ([name, first, second]: Call) => verbs[name]?.(first, second)
}
