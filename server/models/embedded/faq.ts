import type { Language } from '../../lib/text/language.ts'
import { sentences } from '../../lib/text/sentences.ts'
import { keywordsOf } from './keywords.ts'
import { inOneText, paragraphsOf, summarise } from './summary.ts'

const MAX_SENTENCES = 3
const MAX_HEADING_LENGTH = 80

export interface Question {
  question: string
  answer: string
}

const ASK: Readonly<Record<Language, (topic: string) => string>> = {
  tr: (topic) => `“${topic}” hakkında ne bilmeliyim?`,
  en: (topic) => `What should I know about “${topic}”?`,
  de: (topic) => `Was sollte ich über „${topic}“ wissen?`,
  ar: (topic) => `ماذا ينبغي أن أعرف عن «${topic}»؟`,
}

/** A section of the text: its topic, where the text names one, and its sentences. */
interface Part {
  topic: string | undefined
  body: string[]
}

function isTitle(text: string): boolean {
  return text.length <= MAX_HEADING_LENGTH && !/[.!:;,]$/.test(text)
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let current: Part | undefined
  for (const { text: paragraph, isHeading } of paragraphsOf(text)) {
    if (isHeading || (isTitle(paragraph) && sentences(paragraph).length === 1)) {
      current = { topic: paragraph, body: [] }
      parts.push(current)
      continue
    }
    const [first = '', ...rest] = sentences(paragraph)
    if (first.endsWith('?') && rest.length > 0) {
      parts.push({ topic: first, body: rest })
      current = undefined
      continue
    }
    if (!current) {
      current = { topic: undefined, body: [] }
      parts.push(current)
    }
    current.body.push(...sentences(paragraph))
    // The next paragraph after one without a heading begins another topic.
    if (current.topic === undefined) current = undefined
  }
  return parts.filter(({ body }) => body.length > 0)
}

/**
 * At most `count` questions that a text answers, with its own sentences as answers: first its
 * questions and headings, then the topics of its other paragraphs.
 */
export function questionsOf(text: string, count: number, language: Language): Question[] {
  const parts = partsOf(text)
  const titled = parts.filter(({ topic }) => topic !== undefined)
  const asked = new Set<string>()
  const questions: Question[] = []
  for (const part of [...titled, ...parts.filter(({ topic }) => topic === undefined)]) {
    const body = part.body.join(' ')
    const topic = part.topic ?? keywordsOf(body, 1, language)[0]
    if (topic === undefined || questions.length >= count) continue
    const question = topic.endsWith('?') ? topic : ASK[language](topic)
    if (asked.has(question)) continue
    asked.add(question)
    const isShort = part.body.length <= MAX_SENTENCES
    const answer = inOneText(isShort ? part.body : summarise(body, MAX_SENTENCES))
    questions.push({ question, answer })
  }
  return questions
}
