/** Makes `models/embedded/understanding/danger.bin` from the examples beside it (`npm run fit:danger`). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentences } from '../../../server/lib/text/sentences.ts'
import { LANGUAGES } from '../../../server/lib/text/language.ts'
import { type Danger, DANGERS } from '../../../server/models/embedded/understanding/danger.ts'
import { readBusinessTexts } from '../business-texts.ts'
import { readExamples } from '../fit.intents.ts'
import { fitTextModel, readLabelled, TextExamples } from '../text-model.ts'
import { readUnrelated } from '../visitors.ts'

const EXAMPLES = import.meta.dirname
const MODEL = join(import.meta.dirname, '../../../server/models/embedded/understanding/danger.bin')

/** Most messages tell of no danger. */
const FIRST_BIASES = [-2, -2, 2]
/** How much an example counts: of danger, of words like it, beside a question, and of what businesses are asked. */
const WEIGHTS = { danger: 3, innocent: 3, joined: 2, business: 1 }
/** How danger stands beside an ordinary question. */
const JOINTS: readonly ((text: string, question: string) => string)[] = [
  (text, question) => `${text}, ${question}`,
  (text, question) => `${question} ${text}`,
  (text, question) => `${text} ${question}`,
]
/** Examples of one intent stand together: each next question is of another one. */
const STRIDE = 367
/** The number of no danger. */
const NONE = DANGERS.length

export interface DangerExample {
  text: string
  danger: Danger | undefined
}

/** The lines of a file of examples: `life`, `self` or `none <tab> text`. */
export const readDangers = (name: string): DangerExample[] =>
  readLabelled(join(EXAMPLES, `${name}.tsv`), ['life', 'self', 'none']).map(({ label, text }) => ({
    text,
    danger: label === 'none' ? undefined : label === 'self' ? 'self_harm' : 'emergency',
  }))

function readRows(): TextExamples['rows'] {
  const all = new TextExamples()
  const add = (text: string, danger: Danger | undefined, weight: number): void =>
    all.add(text, danger === undefined ? NONE : DANGERS.indexOf(danger), weight)
  const examples = readExamples()
  for (const language of LANGUAGES) {
    const questions = examples.filter((own) => own.language === language).map(({ text }) => text)
    for (const [at, { text, danger }] of readDangers(language).entries()) {
      add(text, danger, danger === undefined ? WEIGHTS.innocent : WEIGHTS.danger)
      const question = questions[(at * STRIDE) % questions.length] ?? ''
      add(JOINTS[at % JOINTS.length]?.(text, question) ?? text, danger, WEIGHTS.joined)
    }
  }
  const { talk, asked, written } = readBusinessTexts()
  for (const text of talk) add(text, undefined, WEIGHTS.innocent)
  for (const text of [
    ...asked,
    ...asked.flatMap((message) => sentences(message)),
    ...readUnrelated(),
    ...written,
  ])
    add(text, undefined, WEIGHTS.business)
  return all.rows
}

/** The model of the examples, as bytes. */
export const buildDangerModel = (): Buffer => fitTextModel(readRows(), FIRST_BIASES)

if (import.meta.main) writeFileSync(MODEL, buildDangerModel())
