import {
  type QuantizedVector,
  VectorIndex,
  quantize,
} from '../../server/knowledge/vectors/vector-index.ts'
import { normalized } from '../../server/models/embedding-model.ts'
import { type Figure, stored } from '../report/figure.ts'

const PASSAGES = 10_000
const DIMENSION = 768
const TOPICS = 400
const QUESTIONS = 100
const WANTED = 10
/** How far a passage lies from its topic, as a share of what separates topics. */
const SPREAD = 0.8
/** Target: what a question may cost. */
const MAX_CPU_MS = 3

/** The vectors of a large tenant: what a question costs, what is found of the exact answer, memory. */
export async function benchVectors(): Promise<Figure[]> {
  const random = generator(42)
  const direction = () => Float32Array.from({ length: DIMENSION }, () => random() - 0.5)
  // Models give all texts a common direction.
  const common = direction()
  const topics = Array.from({ length: TOPICS }, direction)
  const near = (topic: Float32Array) =>
    normalized(topic.map((value, at) => value + (common[at] ?? 0) + SPREAD * (random() - 0.5)))
  const vectors = Array.from({ length: PASSAGES }, (_, at) => near(topics[at % TOPICS] ?? common))
  const questions = Array.from({ length: QUESTIONS }, (_, at) =>
    near(topics[(at * 7) % TOPICS] ?? common),
  )
  const quantized = vectors.map((vector, place): QuantizedVector & { place: number } => ({
    ...quantize(vector),
    place,
  }))
  const index = new VectorIndex(DIMENSION, quantized)
  const flat = new Float32Array(PASSAGES * DIMENSION)
  for (const [at, vector] of vectors.entries()) flat.set(vector, at * DIMENSION)

  const exact = questions.map((question) => scan(flat, question))
  const found = questions.map((question) => index.nearest(question, WANTED))
  const shares = found.map(
    (places, at) => places.filter((place) => exact[at]?.includes(place)).length / WANTED,
  )
  const recall = shares.reduce((sum, share) => sum + share, 0) / QUESTIONS
  const scanMs = cpuOf(() => questions.map((question) => scan(flat, question)))
  const indexMs = cpuOf(() => questions.map((question) => index.nearest(question, WANTED)))
  console.table([
    {
      way: 'float32, every passage',
      'ms CPU': scanMs,
      'recall@10': 1,
      MB: flat.byteLength / 1e6,
    },
    {
      way: 'signs, then bytes of the nearest',
      'ms CPU': indexMs,
      'recall@10': Math.round(recall * 1_000) / 1_000,
      MB: Math.round(index.bytes / 1e4) / 100,
    },
  ])
  const size = `${PASSAGES.toLocaleString('en-US')} passages of ${DIMENSION} dimensions`
  return [
    {
      id: 'nearest.cpu',
      label: `the nearest of ${size}; floor: a scan of all`,
      value: stored(indexMs),
      unit: 'ms of processor time',
      better: 'lower',
      floor: scanMs,
      target: { of: 'value', bound: MAX_CPU_MS },
    },
    {
      id: 'nearest.recall',
      label: `recall@${WANTED} of them`,
      value: stored(recall),
      unit: '',
      better: 'higher',
    },
    {
      id: 'nearest.memory',
      label: 'memory of their index; floor: float32',
      value: stored(index.bytes / 1e6),
      unit: 'MB',
      better: 'lower',
      floor: stored(flat.byteLength / 1e6) ?? 0,
    },
  ]
}

/** Milliseconds of CPU for one question, the second time. */
function cpuOf(ask: () => unknown): number {
  ask()
  const start = process.cpuUsage()
  ask()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / QUESTIONS / 10) / 100
}

function scan(flat: Float32Array, question: Float32Array): number[] {
  const rated: { place: number; likeness: number }[] = []
  for (let place = 0; place < PASSAGES; place += 1) {
    const from = place * DIMENSION
    let likeness = 0
    for (let at = 0; at < DIMENSION; at += 1) {
      likeness += (flat[from + at] ?? 0) * (question[at] ?? 0)
    }
    rated.push({ place, likeness })
  }
  const best = rated.toSorted((a, b) => b.likeness - a.likeness)
  return best.slice(0, WANTED).map(({ place }) => place)
}

/** The same numbers at each run (Mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
