import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classify } from '../../server/knowledge/search/intents/classifier.ts'
import { readFeatures } from '../../server/knowledge/search/intents/features.ts'
import { type Intent, INTENTS } from '../../server/knowledge/search/intents/intents.ts'
import { type ModelName, shippedModel } from '../../server/knowledge/search/intents/model.ts'
import type { Language } from '../../server/lib/text/language.ts'
import { buildIndexSync, search } from '../../server/knowledge/search/search-index.ts'
import { buildModels, readExamples, readTopics } from './fit.intents.ts'
import { indexed } from './documents.ts'
import { splitDocument } from '../../server/knowledge/parsers/chunk.ts'

const MODELS = join(import.meta.dirname, '../../server/knowledge/search/intents')
/** Examples of each intent in each language. */
const MIN_EXAMPLES = 15
const MIN_TOPIC_EXAMPLES = 3

const read = (name: ModelName, text: string, language: Language): Float32Array =>
  classify(readFeatures(text, language), shippedModel(name))
const likeliest = (name: ModelName, text: string, language: Language): number => {
  const likelihoods = read(name, text, language)
  return likelihoods.indexOf(Math.max(...likelihoods))
}

/** Counts the examples of each intent in each language; fails for one that comes twice. */
function countDistinct(
  examples: ReturnType<typeof readExamples>,
  names: readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>()
  const texts = new Set<string>()
  for (const { language, intent, text } of examples) {
    const key = `${language} ${names[intent]}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    expect(texts, `twice: ${text}`).not.toContain(`${key} ${text}`)
    texts.add(`${key} ${text}`)
  }
  return counts
}

describe('what any business is asked for', () => {
  test('has examples in each language, none of them twice', () => {
    const counts = countDistinct(readExamples(), INTENTS)
    expect([...counts].filter(([, count]) => count < MIN_EXAMPLES)).toEqual([])
    expect(counts.size).toBe(INTENTS.length * 4)
  })

  test('is told by models that their examples make: run `npm run fit:intents`', () => {
    for (const [name, bytes] of Object.entries(buildModels()))
      expect(bytes.equals(readFileSync(join(MODELS, `${name}.bin`))), name).toBe(true)
  })

  test.each<[Language, string, Intent]>([
    ['en', 'can I bring my spaniel', 'pets'],
    ['en', 'what happens if I am late', 'lateness'],
    ['en', 'which areas do you cover', 'areas-served'],
    ['en', 'is there somewhere to leave the car', 'parking'],
    ['tr', 'köpeğimle gelebilir miyim', 'pets'],
    ['tr', 'geç kalırsam ne olur', 'lateness'],
    ['tr', 'hangi semtlere geliyorsunuz', 'areas-served'],
    ['tr', 'arabamı nereye bırakabilirim', 'parking'],
    ['de', 'Darf mein Hund mitkommen?', 'pets'],
    ['ar', 'هل يمكنني إحضار كلبي', 'pets'],
  ])('is understood (%s): %s', (language, text, intent) => {
    expect(INTENTS[likeliest('intents', text, language)]).toBe(intent)
  })

  test('is as sure of a short message as of a long one', () => {
    for (const [language, text] of [
      ['en', 'is there wifi'],
      ['tr', 'wifi var mı'],
      ['de', 'gibt es wlan'],
    ] as const) {
      expect(read('intents', text, language)[INTENTS.indexOf('wifi')], text).toBeGreaterThan(0.5)
    }
  })

  test('finds a passage that has none of the words', () => {
    const page = [
      '# The studio',
      '',
      '## Can’t make it?',
      '',
      'Release your place six hours before and the credit returns to your pass.',
      '',
      '## Our rooms',
      '',
      'Two rooms above the old sail loft, with oak floors and a view of the harbor.',
    ].join('\n')
    const passages = splitDocument({ kind: 'markdown', title: 'The studio', content: page })
    const index = buildIndexSync(indexed('The studio', passages))
    const [hit] = search(index, { question: 'how do I cancel' }, 3)
    expect(hit?.passage.text).toContain('Release your place')
  })
})

describe('what the customers of a trade ask', () => {
  const { topics, examples } = readTopics()

  test('has questions and sentences in each language, none of them twice', () => {
    const counts = countDistinct(examples, topics)
    expect([...counts].filter(([, count]) => count < MIN_TOPIC_EXAMPLES)).toEqual([])
    expect(counts.size).toBe(topics.length * 4)
  })

  test.each<[Language, string, string]>([
    ['en', 'how much do I need to earn', 'estate-agency income-needed'],
    ['en', 'do the flats come furnished', 'estate-agency furnished'],
    ['tr', 'anahtarımı kaybettim', 'locksmith lost-keys'],
  ])('is understood (%s): %s', (language, text, topic) => {
    expect(topics[likeliest('topics', text, language)]).toBe(topic)
  })

  test('finds a passage that has none of the words', () => {
    const page = [
      '# Renting with us',
      '',
      '## Affordability',
      '',
      'As a household your yearly gross income should come to at least 30 times the monthly rent.',
      '',
      '## Viewings',
      '',
      'We show every home in person, on weekdays until seven and on Saturdays until four.',
    ].join('\n')
    const passages = splitDocument({ kind: 'markdown', title: 'Renting with us', content: page })
    const index = buildIndexSync(indexed('Renting with us', passages))
    const [hit] = search(index, { question: 'how much do I have to earn' }, 3)
    expect(hit?.passage.heading).toContain('Affordability')
  })

  test('counts less where most of the site tells it', () => {
    const towns = ['Diss', 'Eye', 'Harleston', 'Bungay', 'Beccles', 'Halesworth', 'Framlingham']
    const page = [
      '# Lowland Heat',
      ...towns.flatMap((town) => [
        `## Our work in ${town}`,
        `We fit an air-source heat pump with new radiators in ${town}. A heat pump keeps the house warm all winter.`,
      ]),
      '## VAT',
      'Installations are zero-rated until 31 March 2027.',
      '## Showroom',
      'Come in on any weekday.',
    ].join('\n\n')
    const passages = splitDocument({ kind: 'markdown', title: 'Lowland Heat', content: page })
    const index = buildIndexSync(indexed('Lowland Heat', passages))
    const hits = search(index, { question: 'is there vat on heat pumps' }, 8)
    const common = hits.find(({ passage }) => passage.heading.includes('Diss'))
    expect(common?.intent).toBeLessThan(0.5)
  })
})
