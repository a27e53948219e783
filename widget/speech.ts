import { effect } from '@preact/signals'
import type { Chat } from './chat.ts'
import { toSpeech } from './markdown.tsx'
import type { Words } from './words.ts'

/** How many lines the live region holds; a reader has long said the older ones. */
const LINES_KEPT = 8

/** Where the last complete sentence of `text` ends; `from` when none was completed after it. */
export function endOfSentences(text: string, from: number): number {
  const last = [...text.slice(from).matchAll(/[.!?…:]["'”’)*_]*\s|\n/g)].at(-1)
  return last ? from + last.index + last[0].length : from
}

/**
 * Tells screen readers what happens, once each and in whole sentences: an answer of 200 pieces is not
 * 200 announcements. Returns what ends it.
 */
export function startSpeech(chat: Chat, words: Words, region: HTMLElement): () => void {
  /** How far the answer was said; below zero when none is under way. */
  let spoken = -1
  let answered = ''
  let wasWaiting = false
  const say = (text: string): void => {
    const line = document.createElement('p')
    line.textContent = toSpeech(text)
    if (!line.textContent) return
    region.append(line)
    if (region.childElementCount > LINES_KEPT) region.firstElementChild?.remove()
  }
  const endings = [
    effect(() => {
      const text = chat.answer.value
      if (text === undefined) {
        const last = chat.said.peek().at(-1)
        if (spoken < 0 || last?.role !== 'assistant') return
        if (!chat.isOpen.peek()) say(words.unread(chat.unread.peek()))
        else say(last.text.startsWith(answered) ? last.text.slice(spoken) : last.text)
        spoken = -1
      } else if (text === '') {
        spoken = 0
        answered = ''
        say(words.typing)
      } else {
        const end = endOfSentences(text, spoken)
        if (chat.isOpen.peek()) say(text.slice(spoken, end))
        spoken = end
        answered = text
      }
    }),
    effect(() => {
      const isWaiting = chat.countdown.value > 0
      if (isWaiting && !wasWaiting) say(words.waitingBriefly)
      wasWaiting = isWaiting
    }),
    effect(() => {
      if (chat.isWithPeople.value) say(words.withPeople)
    }),
    effect(() => {
      const last = chat.said.value.at(-1)
      if (last?.role === 'thanks') say(`${words.formThanks(last.text)} ${words.formNext}`)
    }),
  ]
  return () => endings.forEach((end) => end())
}
