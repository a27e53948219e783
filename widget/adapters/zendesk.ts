import { openSite } from './site.ts'
import { fieldsOf, listOf, ring } from './values.ts'

declare global {
  interface Window {
    /** Called with a product, a verb and its arguments; `_` holds the queued calls. */
    zE?: unknown
    zESettings?: unknown
  }
}

/** Their events, by ours. */
const EVENTS: Record<string, readonly string[]> = {
  opened: ['open'],
  closed: ['close'],
  unread: ['unreadMessages', 'chat:unreadMessages'],
  'message:sent': ['chat:start'],
}

/** `zE(…)`, for pages that were written for Zendesk's messaging or its classic widget. */
function adapt(script: HTMLScriptElement): void {
  const heard: [name: unknown, listener: unknown][] = []
  const site = openSite(script, (event, { count }) => {
    for (const name of EVENTS[event] ?? [])
      for (const [wanted, listener] of heard) if (wanted === name) ring(listener, count)
  })
  const identify = (given: unknown): void => {
    const { name, email, phone } = fieldsOf(given)
    site.identify({ name, email, phone })
  }
  const logOut = (): void => {
    site.stop(true)
    site.start()
  }

  const verbs: Record<string, (first: unknown, second: unknown) => unknown> = {
    open: () => site.call('open'),
    close: () => site.call('close'),
    toggle: () => site.call('toggle'),
    show: () => site.call('show'),
    hide: () => site.call('hide'),
    popout: () => site.call('open'),
    identify,
    prefill(given) {
      const { name, email, phone } = fieldsOf(given)
      const valueOf = (field: unknown): unknown => fieldsOf(field)['value']
      site.identify({ name: valueOf(name), email: valueOf(email), phone: valueOf(phone) })
    },
    // The page fetches a token and hands it over when it has it.
    loginUser(ask, done) {
      ring(ask, (token: unknown) => {
        site.identify({ token })
        ring(done, undefined)
      })
    },
    logoutUser: logOut,
    logout: logOut,
    setLocale: (locale) => site.set('locale', locale),
    locale: (locale) => site.set('locale', locale),
    cookies: (isAllowed) => (isAllowed === false ? site.stop(true) : site.start()),
    'chat:send': (text) => site.call('send', text),
    'chat:end': () => site.call('close'),
    updateSettings: (given) => settle(given),
    zIndex: () => undefined,
    updatePath: () => undefined,
    clear: () => undefined,
    reset: () => undefined,
  }
  const facts: Record<string, () => unknown> = {
    display: () => (site.now.isHidden ? 'hidden' : 'chat'),
    'chat:isChatting': () => site.now.isTalking,
    'chat:unreadMessages': () => site.now.unread,
  }
  function settle(given: unknown): void {
    const { webWidget, messenger } = fieldsOf(given)
    const { position } = fieldsOf(webWidget ?? messenger)
    site.set('position', fieldsOf(position)['horizontal'])
  }

  const zendesk = (first: unknown, name?: unknown, ...rest: unknown[]): unknown => {
    if (typeof first === 'function') return ring(first)
    const [, what] = String(first).split(':')
    const key = String(name)
    if (what === 'on') return heard.push([key, rest.at(-1)])
    if (what === 'get') return facts[key]?.()
    const verb = verbs[key]
    return verb ? verb(rest[0], rest[1]) : site.miss(name)
  }
  // Calls of the first version of the classic widget.
  Object.assign(zendesk, {
    activate: () => site.call('open'),
    hide: () => site.call('hide'),
    show: () => site.call('show'),
    identify,
    logout: logOut,
    setLocale: (locale: unknown) => site.set('locale', locale),
  })
  const before = window.zE
  window.zE = zendesk
  settle(window.zESettings)
  site.start()
  const queue = typeof before === 'function' && '_' in before ? listOf(before._) : []
  for (const call of queue) {
    const [first, ...rest] = listOf(call)
    zendesk(first, ...rest)
  }
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) adapt(currentScript)
