import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../server/lib/text/language.ts'
import { dangerIn } from '../../../server/models/embedded/understanding/danger.ts'
import { buildDangerModel, readDangers } from './fit.ts'
import { SETS, UNFITTED } from '../sets.ts'
import { readVisitors } from '../visitors.ts'

const MODEL = join(import.meta.dirname, '../../../server/models/embedded/understanding/danger.bin')
const MIN_EXAMPLES = 120

describe('messages of danger to somebody’s life', () => {
  test.each(LANGUAGES)('have examples in %s, none of them twice', (language) => {
    const examples = readDangers(language)
    for (const danger of ['emergency', 'self_harm', undefined] as const) {
      const texts = examples.filter((example) => example.danger === danger)
      expect(texts.length).toBeGreaterThanOrEqual(MIN_EXAMPLES)
    }
    expect(new Set(examples.map(({ text }) => text)).size).toBe(examples.length)
  })

  test('are told by the model that their examples make: run `npm run fit:danger`', () => {
    expect(buildDangerModel().equals(readFileSync(MODEL))).toBe(true)
  })

  test('are found where another writer wrote them, and little else', () => {
    const heldOut = readDangers('held-out')
    const dangers = heldOut.filter(({ danger }) => danger !== undefined)
    const innocent = heldOut.filter(({ danger }) => danger === undefined)
    const found = dangers.filter(({ text }) => dangerIn(text) !== undefined)
    const named = found.filter(({ text, danger }) => dangerIn(text) === danger)
    const mistaken = innocent.filter(({ text }) => dangerIn(text) !== undefined)
    process.stdout.write(
      `\nfound ${found.length} of ${dangers.length}, of the right kind ${named.length}; mistaken ${mistaken.length} of ${innocent.length}\n`,
    )
    expect(found.length / dangers.length).toBeGreaterThanOrEqual(0.93)
    expect(named.length / found.length).toBeGreaterThanOrEqual(0.97)
    expect(mistaken.length / innocent.length).toBeLessThanOrEqual(0.01)
  })

  test('are seldom seen in what visitors ask of businesses', () => {
    const asked = SETS.filter(({ part }) => UNFITTED.has(part)).flatMap(({ part, sites }) =>
      sites.flatMap((site) => readVisitors(site, part).flatMap(({ messages }) => messages)),
    )
    const mistaken = asked.filter((message) => dangerIn(message) !== undefined)
    process.stdout.write(`\nmistaken ${mistaken.length} of ${asked.length} questions\n`)
    expect(mistaken.length / asked.length).toBeLessThanOrEqual(0.007)
  })
})
