import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../server/lib/text/language.ts'
import { readOffTopic } from '../../../server/models/embedded/understanding/off-topic.ts'
import { buildOffTopicModel, readOffTopics } from './fit.ts'
import { SETS, UNFITTED } from '../sets.ts'
import { readVisitors } from '../visitors.ts'

const MODEL = join(
  import.meta.dirname,
  '../../../server/models/embedded/understanding/off-topic.bin',
)
const MIN_EXAMPLES = 300

const shareOff = (texts: readonly string[]): number =>
  texts.filter((text) => readOffTopic(text).isOffTopic).length / texts.length

describe('messages that have nothing to do with any business', () => {
  test.each(LANGUAGES)('have examples in %s, none of them twice', (language) => {
    const examples = readOffTopics(language)
    for (const isOff of [true, false]) {
      const texts = examples.filter((example) => example.isOff === isOff)
      expect(texts.length).toBeGreaterThanOrEqual(MIN_EXAMPLES)
    }
    expect(new Set(examples.map(({ text }) => text)).size).toBe(examples.length)
  })

  test('are told by the model that their examples make: run `npm run fit:off-topic`', () => {
    expect(buildOffTopicModel().equals(readFileSync(MODEL))).toBe(true)
  })

  test('are found where another writer wrote them, and none for a business', () => {
    const heldOut = readOffTopics('held-out')
    const textsOf = (isOff: boolean): string[] =>
      heldOut.filter((example) => example.isOff === isOff).map(({ text }) => text)
    const [found, mistaken] = [shareOff(textsOf(true)), shareOff(textsOf(false))]
    process.stdout.write(`\nfound ${found}, mistaken ${mistaken} of ${heldOut.length}\n`)
    expect(found).toBeGreaterThanOrEqual(0.48)
    expect(mistaken).toBe(0)
  })

  test('are seldom seen in what visitors ask of businesses', () => {
    const asked = SETS.filter(({ part }) => UNFITTED.has(part)).flatMap(({ part, sites }) =>
      sites.flatMap((site) => readVisitors(site, part).flatMap(({ messages }) => messages)),
    )
    expect(shareOff(asked)).toBeLessThanOrEqual(0.007)
  })
})
