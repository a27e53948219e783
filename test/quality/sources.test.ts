import { beforeAll, describe, expect, test } from 'vitest'
import { createStemmer } from '../../server/lib/text/stemmer.ts'
import { parseDocument, type ParseInput } from '../../server/knowledge/parsers/parse.ts'
import {
  buildIndexSync,
  type IndexedPassage,
  type SearchIndex,
} from '../../server/knowledge/search/search-index.ts'
import { indexed, readDocuments, readPassages } from './documents.ts'
import { askAll, judge, SETS } from './judge.ts'
import type { SetName } from './questions.ts'
import { asSitePage, asWordFile } from './rendered.ts'

const stemmer = createStemmer()
/** One answer of fifty may be another, because code and tables look a little different. */
const TOLERANCE = 0.02
/** Of sixty questions about anything else, three more may be answered. */
const REFUSAL_TOLERANCE = 0.05

type Form = (document: { title: string; content: string }) => Omit<ParseInput, 'title'>

async function readAll(set: SetName, form: Form): Promise<IndexedPassage[]> {
  const found: IndexedPassage[] = []
  for (const document of readDocuments(set)) {
    const result = await parseDocument({ ...form(document), title: document.title })
    if ('problem' in result) throw new Error(`${document.title}: ${result.problem}`)
    found.push(...indexed(document.title, result.document.passages))
  }
  return found
}

describe.each<[string, Form]>([
  ['crawled pages', ({ title, content }) => ({ bytes: asSitePage(title, content), role: 'page' })],
  ['Word files', ({ content }) => ({ bytes: asWordFile(content) })],
])('from %s', (_, form) => {
  const indexes = new Map<SetName, SearchIndex>()
  const pasted = new Map<SetName, SearchIndex>()
  beforeAll(async () => {
    for (const set of SETS) {
      indexes.set(set, buildIndexSync(await readAll(set, form), stemmer))
      pasted.set(set, buildIndexSync(readPassages(set), stemmer))
    }
  })

  const judged = (from: Map<SetName, SearchIndex>) =>
    judge(askAll('held-out', (set) => from.get(set) ?? buildIndexSync([], stemmer)))

  test('questions are answered as well as from pasted text', () => {
    const found = judged(indexes)
    const before = judged(pasted)
    expect(found.first).toBeGreaterThanOrEqual(Math.max(0.8, before.first - TOLERANCE))
    expect(found.within).toBeGreaterThanOrEqual(Math.max(0.92, before.within - TOLERANCE))
    expect(found.refused).toBeGreaterThanOrEqual(Math.max(0.88, before.refused - REFUSAL_TOLERANCE))
  })
})
