import { openSite } from './site.ts'
import { fieldsOf, listOf, ring } from './values.ts'

/** A function that is called with the name of a method and its arguments. */
interface Intercom {
  (...call: unknown[]): unknown
  booted?: boolean
  /** Calls that waited for the script, each a list of arguments. */
  q?: unknown
}

declare global {
  interface Window {
    Intercom?: unknown
    intercomSettings?: unknown
  }
}

/** Their events, by ours. */
const EVENTS = { opened: 'onShow', closed: 'onHide', unread: 'onUnreadCountChange' } as const

/** `Intercom(…)`, for pages that were written for Intercom's messenger. */
function adapt(script: HTMLScriptElement): void {
  const heard: [name: unknown, listener: unknown][] = []
  const site = openSite(script, (event, detail) => {
    if (!(event in EVENTS)) return
    const wanted = Object.entries(EVENTS).find(([ours]) => ours === event)?.[1]
    for (const [name, listener] of heard) if (name === wanted) ring(listener, detail['count'])
  })

  function update(settings: unknown): void {
    const { name, email, phone, intercom_user_jwt: token, ...rest } = fieldsOf(settings)
    site.identify({ name, email, phone, token })
    const { hide_default_launcher: isHidden, alignment } = rest
    site.set('position', alignment)
    if (typeof isHidden === 'boolean') site.call(isHidden ? 'hide' : 'show')
  }

  const methods: Record<string, (first: unknown) => unknown> = {
    boot(settings) {
      update({ ...fieldsOf(window.intercomSettings), ...fieldsOf(settings) })
      site.start()
      intercom.booted = true
    },
    update,
    shutdown() {
      site.stop(true)
      intercom.booted = false
    },
    show: () => site.call('open'),
    hide: () => site.call('close'),
    showNewMessage(text) {
      site.draft(text)
      site.call('open')
    },
    ready: (listener) => ring(listener),
    trackEvent: () => undefined,
    getVisitorId: () => undefined,
    reattach_activator: () => undefined,
    onUserEmailSupplied: () => undefined,
  }
  for (const place of ['Messages', 'Space', 'News', 'Article', 'Ticket', 'Conversation'])
    methods[`show${place}`] = () => site.call('open')
  for (const event of Object.values(EVENTS))
    methods[event] = (listener) => heard.push([event, listener])

  const intercom: Intercom = (name, first) => {
    const method = methods[String(name)]
    return method ? method(first) : site.miss(name)
  }

  const before = window.Intercom
  window.Intercom = intercom
  const queue = typeof before === 'function' && 'q' in before ? listOf(before.q) : []
  if (window.intercomSettings) intercom('boot')
  for (const call of queue) intercom(...listOf(call))
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) adapt(currentScript)
