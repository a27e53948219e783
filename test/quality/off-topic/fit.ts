/** Makes `models/embedded/understanding/off-topic.bin` from the examples beside it (`npm run fit:off-topic`). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../../../server/lib/text/language.ts'
import { readBusinessTexts } from '../business-texts.ts'
import { fitTextModel, readLabelled, TextExamples } from '../text-model.ts'

const EXAMPLES = import.meta.dirname
const MODEL = join(
  import.meta.dirname,
  '../../../server/models/embedded/understanding/off-topic.bin',
)
/** Most messages are for the business. */
const FIRST_BIASES = [-2, 2]
/** How much an example counts: off the topic, with such words and on it, and of what businesses are asked and tell. */
const WEIGHTS = { off: 3, on: 3, business: 1 }
const [OFF, ON] = [0, 1]

export interface TopicExample {
  text: string
  isOff: boolean
}

/** The lines of a file of examples: `off` or `on <tab> text`. */
export const readOffTopics = (name: string): TopicExample[] =>
  readLabelled(join(EXAMPLES, `${name}.tsv`), ['off', 'on']).map(({ label, text }) => ({
    text,
    isOff: label === 'off',
  }))

/** The model of the examples, as bytes. */
export function buildOffTopicModel(): Buffer {
  const all = new TextExamples()
  for (const { text, isOff } of LANGUAGES.flatMap(readOffTopics))
    all.add(text, isOff ? OFF : ON, isOff ? WEIGHTS.off : WEIGHTS.on)
  const { talk, asked, written } = readBusinessTexts()
  for (const text of [...talk, ...asked, ...written]) all.add(text, ON, WEIGHTS.business)
  return fitTextModel(all.rows, FIRST_BIASES)
}

if (import.meta.main) writeFileSync(MODEL, buildOffTopicModel())
