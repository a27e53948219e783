import { expect, test, vi } from 'vitest'
import { readDocx } from '../../../server/knowledge/parsers/docx.ts'
import { splitBlocks } from '../../../server/knowledge/parsers/chunk.ts'
import { Vocabulary } from '../../../server/knowledge/search/vocabulary.ts'
import { makeDocx } from '../../helpers/office-files.ts'

/** Characters that joins of arrays wrote during a call. */
function joinedCharacters(call: () => void): number {
  let characters = 0
  const join = Array.prototype.join
  const spy = vi.spyOn(Array.prototype, 'join').mockImplementation(function (
    this: unknown[],
    separator?: string,
  ) {
    const text = join.call(this, separator)
    characters += text.length
    return text
  })
  try {
    call()
  } finally {
    spy.mockRestore()
  }
  return characters
}

test('a cell of many paragraphs takes time in proportion to its length', () => {
  const work = (paragraphs: number) => {
    const cell = '<w:p><w:r><w:t>word</w:t></w:r></w:p>'.repeat(paragraphs)
    const xml = `<w:document><w:tbl><w:tr><w:tc>${cell}</w:tc></w:tr></w:tbl></w:document>`
    const bytes = makeDocx(new TextEncoder().encode(xml))
    return joinedCharacters(() => readDocx(bytes))
  }
  expect(work(2_000)).toBeLessThan(work(1_000) * 3)
})

test('a long heading is not repeated whole in each passage of its section', () => {
  const text = 'heading '.repeat(50_000)
  const paragraphs = Array.from({ length: 100 }, () => ({
    kind: 'paragraph' as const,
    text: 'word '.repeat(200),
  }))
  const heading = { kind: 'heading' as const, depth: 1, text, anchor: undefined }
  const passages = splitBlocks({ title: undefined, blocks: [heading, ...paragraphs] }, 'Title')
  const size = passages.reduce((sum, { heading: over, anchor }) => {
    return sum + over.length + (anchor?.length ?? 0)
  }, 0)
  expect(size).toBeLessThan(passages.length * 1_000)
})

test('corrections of a query stop at their budget', () => {
  const terms = Array.from(
    { length: 60_000 },
    (_, at) => `kargo${at.toString(36).padStart(4, '0')}`,
  )
  const vocabulary = Vocabulary.of(terms.toSorted())
  const budget = { remaining: 10_000 }
  for (let at = 0; at < 31; at += 1) vocabulary.near('kargo0zzz', 2, budget)
  expect(budget.remaining).toBeGreaterThan(-100)
  expect(budget.remaining).toBeLessThanOrEqual(0)
})
