import type { Signal } from '../runtime/signals.ts'
import type { Chat } from '../chat/chat.ts'

/** Nearer to the end than this, in pixels, counts as being there. */
const NEAR_END = 48

/**
 * Keeps the end of the conversation in sight, unless the visitor reads above: then `hasNewMessages` says that
 * something came. Returns the function that scrolls to the end.
 */
export function createAutoScroll(
  scroller: Element,
  chat: Chat,
  hasNewMessages: Signal<boolean>,
): () => void {
  let isAtEnd = true
  let wasFilling = false
  let count = 0
  let top = 0
  const showEnd = (): void => scroller.scrollTo(0, scroller.scrollHeight)
  const observer = new ResizeObserver(() => {
    const lines = chat.lines.peek()
    const isNew = lines.length > count
    count = lines.length
    // A form must not move while it is filled in, nor when it has just come: the form scrolls to itself.
    const isFilling = chat.form.peek() !== undefined
    const isOwn = lines.at(-1)?.role === 'visitor'
    if ((isAtEnd && !isFilling) || (isNew && isOwn && isFilling === wasFilling)) showEnd()
    else if (isNew && !isOwn) hasNewMessages.value = true
    wasFilling = isFilling
  })
  scroller.addEventListener('scroll', () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END
    // New lines move the end away from the visitor; only scrolling up moves the visitor.
    isAtEnd = isNear || (isAtEnd && scrollTop >= top)
    top = scrollTop
    if (isNear) hasNewMessages.value = false
  })
  for (const box of [scroller, ...scroller.children]) observer.observe(box)
  return showEnd
}
