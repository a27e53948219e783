import { effect } from '../runtime/signals.ts'
import type { AppContext } from '../ui/app-context.ts'

/** Lines that the live region holds; a screen reader has read the older ones. */
const MAX_LINES = 8

/** Where the last complete sentence of `text` ends; `from` when none was completed after it. */
export function endOfSentences(text: string, from: number): number {
  const last = [...text.slice(from).matchAll(/[.!?…:؟]["'”’)*_]*\s|\n/g)].at(-1)
  return last ? from + last.index + last[0].length : from
}

/** The text that a screen reader says for a piece of markdown: its words without the signs. */
export function toSpeech(text: string): string {
  return text
    .replace(/```\w*|[`*#>]|(?<![\p{L}\p{N}/])_|_(?![\p{L}\p{N}])|^\s*[-+]\s/gmu, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a function that has screen readers say a text once. */
export function createAnnouncer(region: HTMLElement): (text: string) => void {
  return (text) => {
    const line = document.createElement('p')
    line.textContent = toSpeech(text)
    if (!line.textContent) return
    region.append(line)
    if (region.childElementCount > MAX_LINES) region.firstElementChild?.remove()
  }
}

/**
 * Announces an answer in whole sentences: 200 deltas are not 200 announcements. Returns the function
 * that ends it.
 */
export function announceAnswers({ chat, ui }: AppContext): () => void {
  const { strings, announce } = ui
  const isAnswered = chat.answer.peek() === undefined && chat.lines.peek().length > 0
  /**
   * Length of the announced part of the answer; below zero when no answer streams. The first answer
   * may have come before this chunk.
   */
  let spoken = isAnswered ? 0 : -1
  let answered = ''
  return effect(() => {
    const text = chat.answer.value
    if (text === undefined) {
      const last = chat.lines.peek().at(-1)
      if (spoken < 0 || last?.role !== 'assistant') return
      if (!chat.isOpen.peek()) announce(strings.unread(chat.unread.peek()))
      else announce(last.text.startsWith(answered) ? last.text.slice(spoken) : last.text)
      spoken = -1
    } else {
      if (text === '' || spoken < 0) {
        spoken = 0
        // People answer when they do.
        const { state } = chat
        if (state.peek() !== 'waiting' && state.peek() !== 'operator') announce(strings.typing)
      }
      const end = endOfSentences(text, spoken)
      if (chat.isOpen.peek()) announce(text.slice(spoken, end))
      spoken = end
      answered = text
    }
  })
}
