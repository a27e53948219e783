import { effect, signal } from '../runtime/signals.ts'
import type { SessionState } from '../../server/chat/schema.ts'
import type { Line } from '../chat/chat.ts'
import type { AppContext } from '../ui/app-context.ts'

/** The message that one tab broadcasts to the others of the same site. */
interface News {
  lines: Line[]
  state: SessionState
  /** Whether the visitor has seen everything. */
  isSeen: boolean
  /** Whether an operator is typing. */
  isTyping: boolean
}

/**
 * Synchronizes the tabs of one site: they share lines, the outbox, the draft, and the state of unread
 * messages.
 */
export function shareTabs({ host, chat }: AppContext) {
  const { tenant, destroyed, storage } = host
  const isTyping = signal(false)
  const shared = new Set<string>()
  let channel: BroadcastChannel | undefined
  const open = (): void => {
    if (typeof BroadcastChannel === 'undefined' || channel) return
    channel = new BroadcastChannel(`sohbet:${tenant}`)
    channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
      for (const { id } of data.lines) shared.add(id)
      const { length } = chat.lines.peek()
      chat.add(...data.lines)
      const isNews = data.lines.at(-1)?.role === 'operator' && chat.lines.peek().length > length
      if (isNews && !chat.isOpen.peek()) chat.unread.value = chat.unread.peek() + 1
      chat.readOutbox()
      if (data.state !== chat.state.peek()) chat.setState(data.state)
      isTyping.value = data.isTyping
      if (data.isSeen) chat.unread.value = 0
    })
  }
  // An open channel keeps the page out of the back/forward cache.
  const close = (): void => {
    channel?.close()
    channel = undefined
  }
  const stop = effect(() => {
    const lines = chat.lines.value.filter(
      ({ id, key, role }) => (role !== 'visitor' || id !== key) && !shared.has(id),
    )
    const state = chat.state.value
    const isSeen = chat.isOpen.value && chat.unread.value === 0
    for (const { id } of lines) shared.add(id)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin.
    channel?.postMessage({ lines, state, isSeen, isTyping: isTyping.value } satisfies News)
  })
  open()
  addEventListener('pagehide', close, { signal: destroyed })
  addEventListener('pageshow', open, { signal: destroyed })
  addEventListener(
    'storage',
    ({ key, newValue }) => {
      if (key?.startsWith(`sohbet:${tenant}:outbox:`)) chat.readOutbox()
      if (key === `sohbet:${tenant}:draft` && document.hidden) chat.draft.value = newValue ?? ''
      // The conversation was deleted in another tab, or its visitor has left.
      if (key === `sohbet:${tenant}:session` && !storage.get('session')) {
        if (storage.get('token')) chat.forget(true)
        else chat.forgetVisitor()
      }
    },
    { signal: destroyed },
  )
  const end = (): void => {
    stop()
    close()
  }
  return { isTyping, end }
}
