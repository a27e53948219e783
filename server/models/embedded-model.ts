import { type Language, detectLanguage } from '../lib/language.ts'
import { estimateTokens } from '../lib/tokens.ts'
import { estimateInput } from './answering.ts'
import { questionsOf } from './embedded-faq.ts'
import { keywordsOf } from './embedded-keywords.ts'
import { inPieces } from './embedded-pieces.ts'
import { summarise } from './embedded-summary.ts'
import { type GenerateRequest, type Model, ModelFailure, type Task } from './model.ts'

/** More of a text is not read: what it says first stands for it. */
const LONGEST_TEXT = 100_000
const DEFAULT_SENTENCES = 3
const DEFAULT_KEYWORDS = 10
const DEFAULT_QUESTIONS = 5
const NAME = 'embedded'

const CANNOT_WRITE =
  'The embedded model summarises, finds keywords and questions, and fills in templates, but writes no free text. Set MODEL_PROVIDER, or choose a model for the workspace.'
const CANNOT_DRAW =
  'The embedded model draws nothing. Set MODEL_PROVIDER with IMAGE_MODEL_NAME, or choose an image_model for the workspace.'

/**
 * The model that needs no key and no network. It does what can be done with the words that are
 * there, in Turkish and English, and says of everything else that it cannot.
 */
export const embeddedModel: Model = {
  name: NAME,

  async *generate(request, signal) {
    const { text, isCut } = withinCap(perform(request), request.maxOutputTokens)
    for (const delta of inPieces(text)) {
      if (signal.aborted) return
      yield { delta }
    }
    const usage = { inputTokens: estimateInput(request), outputTokens: estimateTokens(text) }
    yield {
      end: { usage, isEstimated: false, model: NAME, finishReason: isCut ? 'length' : 'stop' },
    }
  },

  draw() {
    return Promise.reject(new ModelFailure('unable', CANNOT_DRAW))
  },
}

/** Throws `ModelFailure` when there is no task, or nothing to do it with. */
function perform({ task, locale }: GenerateRequest): string {
  if (!task) throw new ModelFailure('unable', CANNOT_WRITE)
  if (task.name === 'template') {
    if (task.text === undefined) throw new ModelFailure('unable', CANNOT_WRITE)
    return task.text
  }
  const text = longestText(task)
  const standard: Language = locale.startsWith('tr') ? 'tr' : 'en'
  const language = detectLanguage(text) ?? standard
  const done = DO[task.name](text, task, language)
  if (done !== '') return done
  throw new ModelFailure('unable', 'There is too little text to work on.')
}

const DO: Readonly<
  Record<
    Exclude<Task['name'], 'template'>,
    (text: string, task: Task, language: Language) => string
  >
> = {
  summary: (text, task) =>
    summarise(text, countOf(task, 'sentences') ?? DEFAULT_SENTENCES).join(' '),
  keywords: (text, task, language) =>
    keywordsOf(text, countOf(task, 'count') ?? DEFAULT_KEYWORDS, language).join('\n'),
  faq: (text, task, language) =>
    questionsOf(text, countOf(task, 'count') ?? DEFAULT_QUESTIONS, language)
      .map(({ question, answer }) => `**${question}**\n\n${answer}`)
      .join('\n\n'),
}

/** The input named `text`, or else the longest one that is text. */
function longestText({ inputs }: Task): string {
  const named = inputs.text
  if (typeof named === 'string') return named.slice(0, LONGEST_TEXT)
  const texts = Object.values(inputs).filter((value) => typeof value === 'string')
  const [longest = ''] = texts.toSorted((a, b) => b.length - a.length)
  return longest.slice(0, LONGEST_TEXT)
}

function countOf({ inputs }: Task, name: string): number | undefined {
  const count = inputs[name]
  return typeof count === 'number' && count >= 1 ? Math.floor(count) : undefined
}

/** Ends between words, and says whether something is missing. */
function withinCap(text: string, maxTokens: number): { text: string; isCut: boolean } {
  if (estimateTokens(text) <= maxTokens) return { text, isCut: false }
  let kept = ''
  for (const word of text.split(/(?<=\s)/)) {
    if (estimateTokens(kept + word) > maxTokens) break
    kept += word
  }
  return { text: kept.trimEnd(), isCut: true }
}
