import { SearchBuffers } from '../../server/knowledge/search/score-buffers.ts'
import { createStemmer } from '../../server/lib/text/stemmer.ts'
import {
  buildIndexSync,
  type IndexedPassage,
  search,
} from '../../server/knowledge/search/search-index.ts'
import { answerFromPassages } from '../../server/models/embedded/answers/answer.ts'
import { DEFAULT_ANSWER_THRESHOLD } from '../../server/models/embedded/answers/confidence.ts'
import { type Figure, stored } from '../report/figure.ts'
import { readPassages } from '../../test/quality/documents.ts'
import { readQuestions } from '../../test/quality/questions.ts'

const SIZES = [1_000, 10_000]
const ROUNDS = 5
const MAX_HITS = 8
/** Names of the figures in the report. */
const LABELS: Record<string, string> = {
  search: 'search by words',
  answer: 'an answer from the hits',
  build: 'building the index',
}
const SETS = ['react-tr', 'fastify-en'] as const

/** Numbers of passages; real ones, repeated under other names beyond their count. */
function passagesOf(size: number): IndexedPassage[] {
  const all = SETS.flatMap((set) => readPassages(set))
  return Array.from({ length: size }, (_, at) => {
    const passage = all[at % all.length]
    if (passage === undefined) throw new Error('There are no passages to search.')
    return { ...passage, doc_id: `${passage.doc_id}-${Math.floor(at / all.length)}` }
  })
}

/** Returns the milliseconds of processor time of one call of `work`. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Measures building an index, searching it and answering from it. */
export async function benchSearch(): Promise<Figure[]> {
  const questions = SETS.flatMap((set) =>
    (['named', 'tuned', 'held-out'] as const).flatMap((part) => readQuestions(set, part)),
  ).map(({ text }) => text)
  const rows = SIZES.map((size) => {
    const passages = passagesOf(size)
    const stemmer = createStemmer()
    const cold = processorTime(() => buildIndexSync(passages, stemmer))
    const warm = processorTime(() => buildIndexSync(passages, stemmer))
    const index = buildIndexSync(passages, stemmer)
    const buffers = new SearchBuffers()
    const found = questions.map((question) => search(index, { question }, MAX_HITS, { buffers }))
    const calls = ROUNDS * questions.length
    const searching = processorTime(() => {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const question of questions) search(index, { question }, MAX_HITS, { buffers })
      }
    })
    const answering = processorTime(() => {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [at, question] of questions.entries()) {
          const hits = found[at] ?? []
          answerFromPassages({ question, hits, threshold: DEFAULT_ANSWER_THRESHOLD })
        }
      }
    })
    return {
      passages: size,
      'search ms': (searching / calls).toFixed(3),
      'answer ms': (answering / calls).toFixed(3),
      'build ms, new words': cold.toFixed(0),
      'build ms, known words': warm.toFixed(0),
    }
  })
  console.table(rows)
  return rows.flatMap(({ passages, ...measured }) =>
    Object.entries(measured).map(([figure, value]): Figure => {
      const [what = '', words = ''] = figure.split(' ms')
      return {
        id: `${passages}.${what}${words.replace(', ', '.').replace(' words', '')}`,
        label: `${LABELS[what] ?? what}${words}`,
        value: stored(Number(value)),
        unit: 'ms of processor time',
        better: 'lower',
        growth: { axis: 'passages', at: passages },
      }
    }),
  )
}
