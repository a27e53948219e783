import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classify } from '../../server/knowledge/search/intents/classifier.ts'
import { type Intent, INTENTS } from '../../server/knowledge/search/intents/intents.ts'
import type { Language } from '../../server/lib/text/language.ts'
import { buildIndexSync, search } from '../../server/knowledge/search/search-index.ts'
import { buildModel, readExamples } from './fit.intents.ts'
import { indexed } from './documents.ts'
import { splitDocument } from '../../server/knowledge/parsers/chunk.ts'

const MODEL = join(import.meta.dirname, '../../server/knowledge/search/intents/intents.bin')
/** Examples of each intent in each language. */
const MIN_EXAMPLES = 15

const likeliest = (text: string, language: Language): Intent | undefined => {
  const likelihoods = classify(text, language)
  return INTENTS[likelihoods.indexOf(Math.max(...likelihoods))]
}

describe('what any business is asked for', () => {
  test('has examples in each language, none of them twice', () => {
    const counts = new Map<string, number>()
    const texts = new Set<string>()
    for (const { language, intent, text } of readExamples()) {
      const key = `${language} ${INTENTS[intent]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      expect(texts, `twice: ${text}`).not.toContain(`${key} ${text}`)
      texts.add(`${key} ${text}`)
    }
    const few = [...counts].filter(([, count]) => count < MIN_EXAMPLES)
    expect(few).toEqual([])
    expect(counts.size).toBe(INTENTS.length * 4)
  })

  test('is told by a model that its examples make: run `npm run fit:intents`', () => {
    expect(buildModel().equals(readFileSync(MODEL))).toBe(true)
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
    expect(likeliest(text, language)).toBe(intent)
  })

  test('is as sure of a short message as of a long one', () => {
    for (const [language, text] of [
      ['en', 'is there wifi'],
      ['tr', 'wifi var mı'],
      ['de', 'gibt es wlan'],
    ] as const) {
      expect(classify(text, language)[INTENTS.indexOf('wifi')], text).toBeGreaterThan(0.5)
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
