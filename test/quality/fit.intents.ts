/** Makes the model of `knowledge/search/intents/` from the examples in `intents/` (`npm run fit:intents`). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFeatures } from '../../server/knowledge/search/intents/features.ts'
import { INTENTS } from '../../server/knowledge/search/intents/intents.ts'
import { writeModel } from '../../server/knowledge/search/intents/model.ts'
import { type Language, LANGUAGES } from '../../server/lib/text/language.ts'

const EXAMPLES = join(import.meta.dirname, 'intents')
const MODEL = join(import.meta.dirname, '../../server/knowledge/search/intents/intents.bin')
/** A feature of fewer examples tells chance. */
const MIN_EXAMPLES = 2

/** A message that asks for an intent, or a sentence of a page that tells what it asks for. */
interface Example {
  language: Language
  /** Its number in `INTENTS`. */
  intent: number
  text: string
}

/** The lines of the examples, `intent <tab> text`, in a file for each language. */
export function readExamples(): Example[] {
  return LANGUAGES.flatMap((language) =>
    readFileSync(join(EXAMPLES, `${language}.tsv`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', text = ''] = line.split('\t')
        const intent = INTENTS.findIndex((known) => known === name)
        if (intent < 0 || text === '') throw new Error(`${language}.tsv: ${line}`)
        return { language, intent, text }
      }),
  )
}

/** The model of the examples, as bytes. */
export function buildModel(): Buffer {
  const examples = readExamples()
  const found = new Map<number, Map<number, number>>()
  for (const { language, intent, text } of examples) {
    for (const feature of readFeatures(text, language)) {
      const counts = found.get(feature) ?? new Map<number, number>()
      counts.set(intent, (counts.get(intent) ?? 0) + 1)
      found.set(feature, counts)
    }
  }
  const rows = [...found]
    .map(([feature, counts]) => ({ feature, counts: [...counts] }))
    .filter(({ counts }) => counts.reduce((sum, [, count]) => sum + count, 0) >= MIN_EXAMPLES)
  return writeModel(examples.length, rows)
}

if (import.meta.main) writeFileSync(MODEL, buildModel())
