import { openSite } from './site.ts'
import { fieldsOf, listOf, ring, textOf } from './values.ts'

declare global {
  interface Window {
    /** An array of calls until the script has loaded. */
    $crisp?: unknown
    CRISP_READY_TRIGGER?: unknown
    CRISP_RUNTIME_CONFIG?: unknown
  }
}

/** `$crisp`, for pages that were written for Crisp. */
function adapt(script: HTMLScriptElement): void {
  const heard: [name: unknown, listener: unknown][] = []
  const about: Record<string, string | undefined> = {}
  const tell = (name: string, ...detail: unknown[]): void => {
    for (const [event, listener] of heard) if (event === name) ring(listener, ...detail)
  }
  const site = openSite(script, (event, { text, message_id: fingerprint }) => {
    if (event === 'opened' || event === 'closed') return tell(`chat:${event}`)
    if (event === 'message:sent' || event === 'message:received') {
      const from = event === 'message:sent' ? 'user' : 'operator'
      tell(event, { type: 'text', origin: 'chat', content: text, from, fingerprint })
    }
  })
  const sayReady = (): void => {
    site.start()
    tell('session:loaded', about['session:identifier'])
    ring(window.CRISP_READY_TRIGGER)
  }

  const deeds: Record<string, (given: unknown[]) => unknown> = {
    'chat:open': () => site.call('open'),
    'chat:close': () => site.call('close'),
    'chat:toggle': () => site.call('toggle'),
    'chat:show': () => site.call('show'),
    'chat:hide': () => site.call('hide'),
    'message:send': ([, text]) => site.call('send', text),
    'session:reset'() {
      site.stop(true)
      site.start()
    },
  }
  const facts: Record<string, string> = {
    'user:email': 'email',
    'user:nickname': 'name',
    'user:phone': 'phone',
  }
  const verbs: Record<string, (name: string, given: unknown) => unknown> = {
    // An array of arguments, or a single value in place of it.
    do: (name, given) => (deeds[name] ?? (() => site.miss(name)))(listOf(given)),
    set(name, given) {
      const value = textOf(given) ?? textOf(listOf(given)[0])
      const fact = facts[name]
      about[name] = value
      if (name === 'message:text') site.draft(value)
      else if (fact) site.identify({ [fact]: value })
    },
    on: (name, listener) => heard.push([name, listener]),
    off(name) {
      for (let at = heard.length; at--;) if (heard[at]?.[0] === name) heard.splice(at, 1)
    },
    config(name, given) {
      const value = listOf(given)[0] ?? given
      if (name === 'position:reverse') site.set('position', value ? 'left' : 'right')
      else if (name === 'color:mode') site.set('theme', value)
      else site.miss(name)
    },
    safe: () => undefined,
  }
  const states: Record<string, () => boolean> = {
    'chat:opened': () => site.now.isOpen,
    'chat:closed': () => !site.now.isOpen,
    'chat:visible': () => !site.now.isHidden,
    'chat:hidden': () => site.now.isHidden,
    'session:ongoing': () => site.now.isTalking,
    'website:available': () => true,
  }
  const push = (...calls: unknown[]): void => {
    for (const call of calls) {
      const [verb, name, given] = listOf(call)
      const carryOut = verbs[String(verb)]
      if (carryOut) carryOut(String(name), given)
      else site.miss(verb)
    }
  }
  const before = listOf(window.$crisp)
  window.$crisp = {
    push,
    do: (name: string, given: unknown) => push(['do', name, given]),
    set: (name: string, given: unknown) => push(['set', name, given]),
    on: (name: string, listener: unknown) => push(['on', name, listener]),
    off: (name: string) => push(['off', name]),
    is: (name: string) => states[name]?.() ?? false,
    get: (name: string) => (name === 'chat:unread:count' ? site.now.unread : (about[name] ?? null)),
  }
  site.set('locale', fieldsOf(window.CRISP_RUNTIME_CONFIG)['locale'])
  push(...before)
  sayReady()
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) adapt(currentScript)
