import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  type IndexedPassage,
  type SearchIndex,
  buildIndexSync,
  search,
} from '../../../server/knowledge/search/search-index.ts'
import {
  FINGERPRINTED,
  readFingerprint,
  stampPassages,
} from '../../../server/knowledge/snapshots/fingerprint.ts'
import { readSnapshot, writeSnapshot } from '../../../server/knowledge/snapshots/format.ts'
import { createStemmer } from '../../../server/lib/text/stemmer.ts'
import { readPassages } from '../../quality/documents.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const stemmer = createStemmer()
const documentation = readPassages('fastify-en')
const shop = documentation.slice(0, 40)
const QUESTIONS = ['How do I set a timeout?', 'Which hooks are there?', 'fiyatı ne kadar', 'opton']

function write(index: SearchIndex): Buffer<ArrayBuffer> {
  return Buffer.concat([...writeSnapshot(index)])
}

function read(bytes: Uint8Array<ArrayBuffer>, passages: readonly IndexedPassage[]): SearchIndex {
  return finish(readSnapshot(bytes, passages, stemmer))
}

function finish<Result>(steps: Generator<unknown, Result>): Result {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

test.each([
  ['large documentation', documentation],
  ['a small site', shop],
  ['an empty site', []],
])('the snapshot of %s answers like the index', (_name, passages) => {
  const built = buildIndexSync(passages, stemmer)
  const loaded = read(write(built), passages)
  expect(loaded.bytes).toBe(built.bytes)
  expect(loaded.vocabulary.terms).toEqual(built.vocabulary.terms)
  for (const question of QUESTIONS)
    expect(search(loaded, { question }, 8)).toEqual(search(built, { question }, 8))
  expect(write(loaded).equals(write(built))).toBe(true)
})

test('a snapshot at any address is read', () => {
  const bytes = new Uint8Array([1, ...write(buildIndexSync(shop, stemmer))])
  expect(read(bytes.subarray(1), shop).entries).toHaveLength(shop.length)
})

test('what is not a whole snapshot of the passages is refused', () => {
  const index = buildIndexSync(shop, stemmer)
  const bytes = write(index)
  expect(() => read(write(index), shop.slice(1))).toThrow('of another index')
  expect(() => read(Buffer.concat([write(index), Buffer.alloc(8)]), shop)).toThrow(
    'of another index',
  )
  for (let length = 0; length < bytes.length; length += 997)
    expect(() => read(Buffer.from(bytes.subarray(0, length)), shop)).toThrow('truncated')
})

test('a stamp differs with the search, and with everything of a passage and their order', async () => {
  const [first, second] = shop
  if (!first || !second) throw new Error('There are no passages.')
  const fingerprint = await readFingerprint()
  const stamp = (passages: readonly IndexedPassage[], state = fingerprint) =>
    finish(stampPassages(state, passages))
  const stamps = [
    stamp([first, second]),
    stamp([first, second], 'another search'),
    stamp([second, first]),
    stamp([first]),
    ...(['doc_id', 'title', 'url', 'heading', 'anchor', 'text'] as const).map((field) =>
      stamp([{ ...first, [field]: 'changed' }, second]),
    ),
    stamp([{ ...first, ordinal: 7 }, second]),
  ]
  expect(new Set(stamps).size).toBe(stamps.length)
  expect(stamp([first, second])).toBe(stamps[0])
  expect(await readFingerprint()).toBe(fingerprint)
})

test('every file that an index is built by is a part of the fingerprint', () => {
  const seen = new Set<string>()
  const open = [
    'server/knowledge/search/search-index.ts',
    'server/knowledge/snapshots/format.ts',
    'server/lib/text/stemmer.ts',
  ]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const code = readFileSync(join(ROOT, file), 'utf8')
    for (const [, path = ''] of code.matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      open.push(relative(ROOT, resolve(ROOT, dirname(file), path)))
  }
  expect(seen.size).toBeGreaterThan(20)
  const others = [...seen].filter(
    (file) => !FINGERPRINTED.some((known) => file.startsWith(`${known}/`)),
  )
  expect(others).toEqual([])
})
