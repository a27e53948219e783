import { openSite } from './site.ts'
import { fieldsOf } from './values.ts'

declare global {
  interface Window {
    $chatwoot?: unknown
    chatwootSettings?: unknown
    /** Their snippet calls `run` once the script has loaded. */
    chatwootSDK?: unknown
  }
}

/** `$chatwoot` and the events of the window, for pages that were written for Chatwoot. */
function adapt(script: HTMLScriptElement): void {
  const say = (name: string, detail?: unknown): boolean =>
    dispatchEvent(new CustomEvent(`chatwoot:${name}`, { detail }))
  const site = openSite(script, (event, detail) => {
    chatwoot.isOpen = site.now.isOpen
    if (event === 'opened' || event === 'closed') say(event)
    if (event === 'error') say('error', detail)
    if (event === 'unread')
      say('on-unread-message-count-changed', { unreadMessageCount: detail['count'] })
    if (event === 'message:received')
      say('on-message', { content: detail['text'], message_type: 1 })
    if (event === 'message:sent') {
      const isFirst = !hasStarted
      hasStarted = true
      if (isFirst) say('on-start-conversation', { hasConversation: false })
      say('on-message', { content: detail['text'], message_type: 0 })
    }
  })
  let hasStarted = false
  const settings = fieldsOf(window.chatwootSettings)

  const show = (visibility: unknown): void => {
    if (visibility !== 'show' && visibility !== 'hide') return
    chatwoot.hideMessageBubble = visibility === 'hide'
    site.call(visibility)
  }
  const chatwoot = {
    hasLoaded: false,
    isOpen: false,
    hideMessageBubble: false,
    position: settings['position'] === 'left' ? 'left' : 'right',
    toggle: (state?: unknown) =>
      site.call(state === 'open' || state === 'close' ? state : 'toggle'),
    toggleBubbleVisibility: show,
    popoutChatWindow: () => site.call('open'),
    setUser(identifier: unknown, user: unknown) {
      if (typeof identifier !== 'string' && typeof identifier !== 'number')
        throw new Error('Identifier should be a string or a number')
      const { name, email, phone_number: phone, identifier_token: token } = fieldsOf(user)
      site.identify({ name, email, phone, token })
    },
    setLocale: (locale: unknown) => site.set('locale', locale),
    setColorScheme: (scheme: unknown) => site.set('theme', scheme),
    reset() {
      site.stop(true)
      site.start()
    },
    setCustomAttributes: () => site.miss('setCustomAttributes'),
    deleteCustomAttribute: () => site.miss('deleteCustomAttribute'),
    setConversationCustomAttributes: () => site.miss('setConversationCustomAttributes'),
    deleteConversationCustomAttribute: () => site.miss('deleteConversationCustomAttribute'),
    setLabel: () => site.miss('setLabel'),
    removeLabel: () => site.miss('removeLabel'),
  }

  site.set('position', settings['position'])
  site.set('theme', settings['darkMode'])
  site.set('locale', settings['useBrowserLanguage'] ? navigator.language : settings['locale'])
  window.$chatwoot = chatwoot
  window.chatwootSDK = { run: site.start }
  site.start()
  if (settings['hideMessageBubble']) show('hide')
  chatwoot.hasLoaded = true
  say('ready')
}

const { currentScript } = document
if (currentScript instanceof HTMLScriptElement) adapt(currentScript)
