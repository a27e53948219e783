import { openSite } from './site.ts'
import { fieldsOf, ring } from './values.ts'

declare global {
  interface Window {
    /** Keeps the page's own entries: settings, and callbacks by name. */
    Tawk_API?: unknown
  }
}

/** `Tawk_API`, for pages that were written for tawk.to. */
function adapt(script: HTMLScriptElement): void {
  const before = window.Tawk_API
  // The same object: the page may have kept it.
  const api: Record<string, unknown> = Object.assign(
    typeof before === 'object' && before ? before : {},
  )
  let isStarted = false
  let isChatting = false
  /** Calls the page's callback, which may be set at any time, and dispatches a window event. */
  const tell = (name: string, detail?: unknown): void => {
    ring(api[`on${name}`], detail)
    dispatchEvent(new CustomEvent(`tawk${name}`, { detail }))
  }
  const site = openSite(script, (event, { text, count }) => {
    if (event === 'opened') tell('ChatMaximized')
    if (event === 'closed') tell('ChatMinimized')
    if (event === 'unread') tell('UnreadCountChanged', count)
    if (event === 'message:received') tell('ChatMessageAgent', text)
    if (event !== 'message:sent') return
    if (!isChatting) tell('ChatStarted')
    isChatting = true
    tell('ChatMessageVisitor', text)
  })

  const identify = (given: unknown): void => {
    const { name, email, phone, token } = fieldsOf(given)
    site.identify({ name, email, phone, token })
  }
  const show = (isShown: boolean): void => {
    site.call(isShown ? 'show' : 'hide')
    if (!isShown) tell('ChatHidden')
  }
  function start(options?: unknown): void {
    if (isStarted) return
    isStarted = true
    tell('BeforeLoad')
    api['onBeforeLoaded'] = true
    identify(api['visitor'])
    const { desktop } = fieldsOf(fieldsOf(fieldsOf(api['customStyle'])['visibility']))
    const place = fieldsOf(desktop)['position']
    if (typeof place === 'string') site.set('position', place.endsWith('l') ? 'left' : 'right')
    site.start()
    if (fieldsOf(options)['showWidget']) show(true)
    api['onLoaded'] = true
    tell('Load')
    tell('StatusChange', 'online')
  }

  Object.assign(api, {
    start,
    shutdown() {
      isStarted = false
      site.stop()
    },
    maximize: () => site.call('open'),
    minimize: () => site.call('close'),
    toggle: () => site.call('toggle'),
    popup: () => site.call('open'),
    showWidget: () => show(true),
    hideWidget: () => show(false),
    toggleVisibility: () => show(site.now.isHidden),
    getWindowType: () => 'inline',
    getStatus: () => 'online',
    isChatMaximized: () => site.now.isOpen,
    isChatMinimized: () => !site.now.isOpen && !site.now.isHidden,
    isChatHidden: () => site.now.isHidden,
    isChatOngoing: () => isChatting,
    isVisitorEngaged: () => isChatting,
    endChat() {
      isChatting = false
      site.call('close')
      tell('ChatEnded')
    },
    setAttributes(given: unknown, done: unknown) {
      identify(given)
      ring(done)
    },
    login(given: unknown, done: unknown) {
      identify(given)
      ring(done)
    },
    logout(done: unknown) {
      site.stop(true)
      site.start()
      ring(done)
    },
    addEvent: (_name: unknown, _detail: unknown, done: unknown) => ring(done),
    addTags: (_tags: unknown, done: unknown) => ring(done),
    removeTags: (_tags: unknown, done: unknown) => ring(done),
    setLocale: (locale: unknown) => site.set('locale', locale),
    switchWidget: () => site.miss('switchWidget'),
  })
  window.Tawk_API = api
  if (api['autoStart'] !== false) start()
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) adapt(currentScript)
