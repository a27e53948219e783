/** Makes `models/embedded/understanding/danger.bin` from the examples in `danger/` (`npm run fit:danger`). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fold } from '../../server/lib/text/fold.ts'
import { sentences } from '../../server/lib/text/sentences.ts'
import { LANGUAGES } from '../../server/lib/text/language.ts'
import {
  BUCKETS,
  type Danger,
  DANGERS,
  featureWeight,
  readDangerFeatures,
  writeDangerModel,
} from '../../server/models/embedded/understanding/danger-classifier.ts'
import { ar } from '../../server/models/embedded/lexicon/talk.ar.ts'
import { de } from '../../server/models/embedded/lexicon/talk.de.ts'
import { en } from '../../server/models/embedded/lexicon/talk.en.ts'
import { tr } from '../../server/models/embedded/lexicon/talk.tr.ts'
import { readExamples, readTopics } from './fit.intents.ts'
import { SETS, UNFITTED } from './sets.ts'
import { readUnrelated, readVisitors } from './visitors.ts'

const EXAMPLES = join(import.meta.dirname, 'danger')
const SMALL_TALK = join(import.meta.dirname, 'small-talk/tuned.txt')
const MODEL = join(import.meta.dirname, '../../server/models/embedded/understanding/danger.bin')

const EPOCHS = 14
/** Last epochs whose weights are averaged: those of one lean to the rows that came last (Polyak and Juditsky, 1992). */
const AVERAGED = 4
const RATE = 0.3
const BIAS_RATE = 0.001
/** Most messages tell of no danger. */
const FIRST_BIASES = [-2, -2, 2]
/** Added to the sum of squared gradients (AdaGrad: Duchi, Hazan and Singer, 2011). */
const FIRST_GRADIENT = 1e-6
/** A smaller error changes nothing. */
const MIN_ERROR = 1e-4
/** How much an example counts: of danger, of words like it, beside a question, and of what businesses are asked. */
const WEIGHTS = { danger: 3, innocent: 3, joined: 2, business: 1 }
/** How danger stands beside an ordinary question. */
const JOINTS: readonly ((text: string, question: string) => string)[] = [
  (text, question) => `${text}, ${question}`,
  (text, question) => `${question} ${text}`,
  (text, question) => `${text} ${question}`,
]
/** Examples of one intent stand together: each next question is of another one. */
const STRIDE = 367
/** Kinds with no danger, which is the last one. */
const KINDS = DANGERS.length + 1
const NONE = DANGERS.length

export interface DangerExample {
  text: string
  danger: Danger | undefined
}

const LABELS: Readonly<Record<string, Danger | undefined>> = {
  life: 'emergency',
  self: 'self_harm',
  none: undefined,
}

/** The lines of a file of examples: `life`, `self` or `none <tab> text`. */
export function readDangers(name: string): DangerExample[] {
  return readFileSync(join(EXAMPLES, `${name}.tsv`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [label = '', text = ''] = line.split('\t')
      if (!(label in LABELS) || text === '') throw new Error(`${name}.tsv: ${line}`)
      return { text, danger: LABELS[label] }
    })
}

interface Row {
  features: readonly number[]
  kind: number
  weight: number
}

const readPhrases = (phrases: string): string[] =>
  phrases.split(',').map((phrase) => phrase.replaceAll('*', '').trim())

function readRows(): Row[] {
  const rows = new Map<string, Row>()
  const add = (text: string, danger: Danger | undefined, weight: number): void => {
    const folded = fold(text)
    if (rows.has(folded)) return
    const kind = danger === undefined ? NONE : DANGERS.indexOf(danger)
    rows.set(folded, { features: readDangerFeatures(folded), kind, weight })
  }
  const examples = readExamples()
  for (const language of LANGUAGES) {
    const questions = examples.filter((own) => own.language === language).map(({ text }) => text)
    for (const [at, { text, danger }] of readDangers(language).entries()) {
      add(text, danger, danger === undefined ? WEIGHTS.innocent : WEIGHTS.danger)
      const question = questions[(at * STRIDE) % questions.length] ?? ''
      add(JOINTS[at % JOINTS.length]?.(text, question) ?? text, danger, WEIGHTS.joined)
    }
  }
  const asked = SETS.filter(({ part }) => !UNFITTED.has(part)).flatMap(({ part, sites }) =>
    sites.flatMap((site) => readVisitors(site, part).flatMap(({ messages }) => messages)),
  )
  const talk = [tr, en, de, ar].flatMap((phrases) => Object.values(phrases).flatMap(readPhrases))
  const small = readFileSync(SMALL_TALK, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(2).join(' '))
  const written = [...examples, ...readTopics().examples].map(({ text }) => text)
  for (const text of [...talk, ...small]) add(text, undefined, WEIGHTS.innocent)
  for (const text of [
    ...asked,
    ...asked.flatMap((message) => sentences(message)),
    ...readUnrelated(),
    ...written,
  ])
    add(text, undefined, WEIGHTS.business)
  return [...rows.values()]
}

/** Numbers from 0 to 1, the same ones each time (Numerical Recipes' linear congruential generator). */
function* chances(): Generator<number, never> {
  let state = 42
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

function shuffle(rows: Row[], chance: Generator<number, never>): void {
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const other = Math.floor(chance.next().value * (at + 1))
    const [a, b] = [rows[at], rows[other]]
    if (a !== undefined && b !== undefined) [rows[at], rows[other]] = [b, a]
  }
}

/** The model of the examples, as bytes. */
export function buildDangerModel(): Buffer {
  const rows = readRows()
  const weights = new Float32Array(BUCKETS * KINDS)
  const means = new Float32Array(BUCKETS * KINDS)
  const squares = new Float32Array(BUCKETS * KINDS).fill(FIRST_GRADIENT)
  const biases = Float64Array.of(...FIRST_BIASES)
  const chance = chances()
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(rows, chance)
    for (const { features, kind, weight } of rows) {
      const each = featureWeight(features)
      const sums = Array.from(biases)
      for (let own = 0; own < KINDS; own += 1)
        for (const bucket of features)
          sums[own] = (sums[own] ?? 0) + each * (weights[own * BUCKETS + bucket] ?? 0)
      const max = Math.max(...sums)
      const powers = sums.map((sum) => Math.exp(sum - max))
      const all = powers.reduce((sum, power) => sum + power, 0)
      for (let own = 0; own < KINDS; own += 1) {
        const error = weight * ((powers[own] ?? 0) / all - (own === kind ? 1 : 0))
        if (Math.abs(error) < MIN_ERROR) continue
        biases[own] = (biases[own] ?? 0) - BIAS_RATE * error
        const gradient = error * each
        for (const bucket of features) {
          const at = own * BUCKETS + bucket
          const square = (squares[at] ?? 0) + gradient * gradient
          squares[at] = square
          weights[at] = (weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(square)
        }
      }
    }
    if (epoch < EPOCHS - AVERAGED) continue
    for (let at = 0; at < means.length; at += 1)
      means[at] = (means[at] ?? 0) + (weights[at] ?? 0) / AVERAGED
  }
  // Only differences count: those to no danger are kept.
  const own = means.subarray(0, NONE * BUCKETS)
  const kept = own.map((weight, at) => weight - (means[NONE * BUCKETS + (at % BUCKETS)] ?? 0))
  const differences = DANGERS.map((_, kind) => (biases[kind] ?? 0) - (biases[NONE] ?? 0))
  return writeDangerModel(differences, kept)
}

if (import.meta.main) writeFileSync(MODEL, buildDangerModel())
