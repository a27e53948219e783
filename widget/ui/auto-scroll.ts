import type { Signal } from '../runtime/signals.ts'
import type { Chat } from '../chat/chat.ts'

/** Nearer to the end than this, in pixels, counts as being there. */
const NEAR_END = 48
/** Above the message that is shown from its beginning, in pixels. */
const GAP = 8

/**
 * Keeps the last message in sight, one that is longer than the panel from its beginning, unless the visitor
 * reads above: then `hasNewMessages` says that something came. Returns the function that scrolls to it.
 */
export function createAutoScroll(
  scroller: Element,
  chat: Chat,
  hasNewMessages: Signal<boolean>,
): () => void {
  let isFollowing = true
  let wasFilling = false
  let count = 0
  let top = 0
  let height = 0
  let room = 0
  const topOf = (box: Element): number => box.getBoundingClientRect().top
  const showLast = (): void => {
    const last = [...scroller.querySelectorAll('.line')].at(-1)
    const start = last ? topOf(last) - topOf(scroller) - GAP : scroller.scrollHeight
    // Never up: the visitor may have read on.
    if (start > 0) scroller.scrollBy(0, start)
    hasNewMessages.value = false
  }
  const observer = new ResizeObserver(() => {
    const { scrollTop, scrollHeight, clientHeight } = scroller
    const wasAtEnd = height - scrollTop - room < NEAR_END
    const isResized = clientHeight !== room
    height = scrollHeight
    room = clientHeight
    const lines = chat.lines.peek()
    const isNew = lines.length > count
    count = lines.length
    // A form must not move while it is filled in, nor when it has just come: the form scrolls to itself.
    const isFilling = chat.form.peek() !== undefined
    const role = lines.at(-1)?.role
    const isOwn = role === 'visitor'
    // A reader of a long answer is not at the end of it.
    const isReading = isNew && role === 'operator' && !wasAtEnd
    if (isResized && wasAtEnd && !isFilling) scroller.scrollTo(0, scrollHeight)
    else if (
      (isFollowing && !isFilling && !isReading) ||
      (isNew && isOwn && isFilling === wasFilling)
    )
      showLast()
    else if (isNew && !isOwn) hasNewMessages.value = true
    wasFilling = isFilling
  })
  scroller.addEventListener('scroll', () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END
    // New lines move the end away from the visitor; only scrolling up moves the visitor.
    isFollowing = isNear || (isFollowing && scrollTop >= top)
    top = scrollTop
    if (isNear) hasNewMessages.value = false
  })
  for (const box of [scroller, ...scroller.children]) observer.observe(box)
  return showLast
}
