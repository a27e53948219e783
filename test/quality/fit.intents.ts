/** Makes the models of `knowledge/search/intents/` from the examples in `intents/` (`npm run fit:intents`). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFeatures } from '../../server/knowledge/search/intents/features.ts'
import { INTENTS } from '../../server/knowledge/search/intents/intents.ts'
import {
  type FeatureCounts,
  type ModelName,
  writeModel,
  writeTopicModel,
} from '../../server/knowledge/search/intents/model.ts'
import { type Language, LANGUAGES } from '../../server/lib/text/language.ts'

const EXAMPLES = join(import.meta.dirname, 'intents')
const TRADES = join(EXAMPLES, 'trades')
const MODELS = join(import.meta.dirname, '../../server/knowledge/search/intents')
/** A feature of fewer examples tells chance. */
const MIN_EXAMPLES = 2

/** A message that asks for an intent, or a sentence of a page that tells what it asks for. */
interface Example {
  language: Language
  /** Its number in `INTENTS`, or among the topics of trades. */
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

/** The topics of the trades, `trade topic`, with their examples: `trade <tab> topic <tab> language <tab> q or s <tab> text`. */
export function readTopics(): { topics: string[]; examples: Example[] } {
  const numbers = new Map<string, number>()
  const examples = readdirSync(TRADES).flatMap((file) =>
    readFileSync(join(TRADES, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [trade, topic, spoken, , text = ''] = line.split('\t')
        const language = LANGUAGES.find((known) => known === spoken)
        if (language === undefined || text === '') throw new Error(`${file}: ${line}`)
        const name = `${trade} ${topic}`
        const intent = numbers.get(name) ?? numbers.size
        numbers.set(name, intent)
        return { language, intent, text }
      }),
  )
  return { topics: [...numbers.keys()], examples }
}

/** How often each feature stands in the examples of each intent. */
function countFeatures(examples: readonly Example[]): Map<number, Map<number, number>> {
  const found = new Map<number, Map<number, number>>()
  for (const { language, intent, text } of examples) {
    for (const feature of readFeatures(text, language)) {
      const counts = found.get(feature) ?? new Map<number, number>()
      counts.set(intent, (counts.get(intent) ?? 0) + 1)
      found.set(feature, counts)
    }
  }
  return found
}

const sumOf = (counts: ReadonlyMap<number, number>): number =>
  counts.values().reduce((sum, count) => sum + count, 0)

const rowsOf = (found: ReadonlyMap<number, ReadonlyMap<number, number>>): FeatureCounts[] =>
  [...found]
    .filter(([, counts]) => sumOf(counts) >= MIN_EXAMPLES)
    .map(([feature, counts]) => ({ feature, counts: [...counts] }))

/** The models of the examples, as bytes. */
export function buildModels(): Record<ModelName, Buffer> {
  const general = readExamples()
  const { topics, examples } = readTopics()
  const ofIntents = countFeatures(general)
  const ofTopics = countFeatures(examples)
  const background = new Map([...ofTopics].map(([feature, counts]) => [feature, sumOf(counts)]))
  for (const [feature, counts] of ofIntents)
    background.set(feature, (background.get(feature) ?? 0) + sumOf(counts))
  const all = general.length + examples.length
  const tradeOf = (topic: string): string => topic.split(' ')[0] ?? ''
  const trades = [...new Set(topics.map(tradeOf))]
  return {
    intents: writeModel({
      intents: INTENTS.length,
      examples: general.length,
      rows: rowsOf(ofIntents),
    }),
    topics: writeTopicModel(
      {
        intents: topics.length,
        examples: all,
        rows: rowsOf(ofTopics),
        groups: topics.map((topic) => trades.indexOf(tradeOf(topic))),
      },
      background,
    ),
  }
}

if (import.meta.main) {
  for (const [name, bytes] of Object.entries(buildModels()))
    writeFileSync(join(MODELS, `${name}.bin`), bytes)
}
