import { type Language, detectLanguage } from '../../lib/text/language.ts'
import { questionsOf } from './faq.ts'
import { keywordsOf } from './keywords.ts'
import { inOneText, summarise } from './summary.ts'
import type { Task } from '../model.ts'

/** Upper bound of the text that is read, from its beginning. */
const MAX_TEXT_LENGTH = 100_000
const DEFAULT_SENTENCES = 3
const DEFAULT_KEYWORDS = 10
const DEFAULT_QUESTIONS = 5
/** Characters that would end a hashtag. */
const BETWEEN_WORDS = /[^\p{L}\p{N}_]/gu

type TextTask = Exclude<Task['name'], 'template'>

/** Runs a task on the text among its inputs; an empty result means too little text. */
export function runTask(task: Task & { name: TextTask }, locale: string): string {
  const text = longestText(task)
  const standard: Language = locale.startsWith('tr') ? 'tr' : 'en'
  return TASKS[task.name](text, task, detectLanguage(text) ?? standard)
}

const TASKS: Readonly<Record<TextTask, (text: string, task: Task, language: Language) => string>> =
  {
    summary: (text, task) =>
      inOneText(summarise(text, countOf(task, 'sentences') ?? DEFAULT_SENTENCES)),
    keywords: (text, task, language) =>
      keywordsOf(text, countOf(task, 'count') ?? DEFAULT_KEYWORDS, language).join('\n'),
    hashtags: (text, task, language) =>
      keywordsOf(text, countOf(task, 'count') ?? DEFAULT_KEYWORDS, language)
        .map((keyword) => `#${keyword.replaceAll(BETWEEN_WORDS, '')}`)
        .join('\n'),
    faq: (text, task, language) =>
      questionsOf(text, countOf(task, 'count') ?? DEFAULT_QUESTIONS, language)
        .map(({ question, answer }) => `**${question}**\n\n${answer}`)
        .join('\n\n'),
  }

/** The input named `text`, or else the longest text among the inputs. */
function longestText({ inputs }: Task): string {
  const named = inputs.text
  if (typeof named === 'string') return named.slice(0, MAX_TEXT_LENGTH)
  const texts = Object.values(inputs).filter((value) => typeof value === 'string')
  const [longest = ''] = texts.toSorted((a, b) => b.length - a.length)
  return longest.slice(0, MAX_TEXT_LENGTH)
}

function countOf({ inputs }: Task, name: string): number | undefined {
  const count = inputs[name]
  return typeof count === 'number' && count >= 1 ? Math.floor(count) : undefined
}
