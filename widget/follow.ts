import type { Signal } from '@preact/signals'
import type { Chat } from './chat.ts'

/** Nearer to the end than this, in pixels, counts as being there. */
const NEAR_END = 48

/**
 * Keeps the end of the conversation in sight, unless the visitor reads above: then `hasNews` says that
 * something came. Returns what shows the end.
 */
export function followEnd(scroller: Element, chat: Chat, hasNews: Signal<boolean>): () => void {
  let isAtEnd = true
  let count = 0
  const showEnd = (): void => scroller.scrollTo(0, scroller.scrollHeight)
  const observer = new ResizeObserver(() => {
    const said = chat.said.peek()
    const isNew = said.length > count
    count = said.length
    if (isAtEnd || (isNew && said.at(-1)?.role === 'visitor')) showEnd()
    else if (isNew) hasNews.value = true
  })
  scroller.addEventListener('scroll', () => {
    isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END
    if (isAtEnd) hasNews.value = false
  })
  for (const box of [scroller, ...scroller.children]) observer.observe(box)
  return showEnd
}
