import { describe, expect, test } from 'vitest'
import { createStemmer } from '../../server/lib/text/stemmer.ts'
import { buildIndexSync, type SearchIndex } from '../../server/knowledge/search/search-index.ts'
import { readPassages } from './documents.ts'
import { askAll, judge } from './judge.ts'
import type { SetName } from './questions.ts'

const stemmer = createStemmer()
const passages = { 'react-tr': readPassages('react-tr'), 'fastify-en': readPassages('fastify-en') }
const apart: Record<SetName, SearchIndex> = {
  'react-tr': buildIndexSync(passages['react-tr'], stemmer),
  'fastify-en': buildIndexSync(passages['fastify-en'], stemmer),
}
const together = buildIndexSync([...passages['react-tr'], ...passages['fastify-en']], stemmer)

describe.each([
  ['a tenant has one language', (set: SetName) => apart[set]],
  ['a tenant has both languages', () => together],
])('when %s', (_, indexOf) => {
  test.each(askAll('named', indexOf).map((outcome) => [outcome.question.text, outcome] as const))(
    'answers, or honestly does not: %s',
    (_text, { question, answer, cited }) => {
      expect(answer.known).toBe(question.documents.length > 0)
      if (!answer.known) return
      expect(question.documents).toContain(
        cited.slice(0, 2).find((document) => question.documents.includes(document)),
      )
    },
  )

  test('cites the right document first for 85 of 100 questions it was not tuned with', () => {
    expect(judge(askAll('held-out', indexOf)).first).toBeGreaterThanOrEqual(0.85)
  })

  test('cites the right document among the first three for 92 of 100', () => {
    expect(judge(askAll('held-out', indexOf)).within).toBeGreaterThanOrEqual(0.92)
  })

  test('refuses nine of ten questions that the documents do not answer', () => {
    expect(judge(askAll('held-out', indexOf)).refused).toBeGreaterThanOrEqual(0.9)
  })
})

test('keeps every answer short, and in the language of the question', () => {
  for (const { question, answer } of askAll('tuned', (set) => apart[set])) {
    expect(Math.ceil(answer.content.length / 4), question.text).toBeLessThan(200)
    expect(answer.content.trim(), question.text).not.toBe('')
    expect(!answer.known || answer.used.length > 0, question.text).toBe(true)
  }
})
