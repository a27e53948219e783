import { readFileSync } from 'node:fs'
import {
  BUCKETS,
  featureWeight,
  readTextFeatures,
  writeTextModel,
} from '../../server/models/embedded/understanding/text-classifier.ts'
import { fold } from '../../server/lib/text/fold.ts'

const EPOCHS = 14
/** Last epochs whose weights are averaged: those of one lean to the rows that came last (Polyak and Juditsky, 1992). */
const AVERAGED = 4
const RATE = 0.3
const BIAS_RATE = 0.001
/** Added to the sum of squared gradients (AdaGrad: Duchi, Hazan and Singer, 2011). */
const FIRST_GRADIENT = 1e-6
/** A smaller error changes nothing. */
const MIN_ERROR = 1e-4

/** The lines of a file of examples: a label and, after a tab, a text. Throws at a line with another label or without text. */
export function readLabelled<Label extends string>(
  file: string,
  labels: readonly Label[],
): { label: Label; text: string }[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name, text = ''] = line.split('\t')
      const label = labels.find((known) => known === name)
      if (label === undefined || text === '') throw new Error(`${file}: ${line}`)
      return { label, text }
    })
}

/** An example for a text model. */
interface Row {
  features: readonly number[]
  /** The number of its kind; that of the last bias for a text of none. */
  kind: number
  weight: number
}

/** The examples of a text model: of two with the same words the first one counts. */
export class TextExamples {
  readonly #rows = new Map<string, Row>()

  add(text: string, kind: number, weight: number): void {
    const folded = fold(text)
    if (this.#rows.has(folded)) return
    this.#rows.set(folded, { features: readTextFeatures(folded), kind, weight })
  }

  get rows(): Row[] {
    return [...this.#rows.values()]
  }
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

/**
 * Fits a model of the examples, as bytes. `firstBiases` are those of the kinds, and then of none of them, before the first
 * example.
 */
export function fitTextModel(rows: Row[], firstBiases: readonly number[]): Buffer {
  const none = firstBiases.length - 1
  const kinds = firstBiases.length
  const weights = new Float32Array(BUCKETS * kinds)
  const means = new Float32Array(BUCKETS * kinds)
  const squares = new Float32Array(BUCKETS * kinds).fill(FIRST_GRADIENT)
  const biases = Float64Array.from(firstBiases)
  const chance = chances()
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(rows, chance)
    for (const { features, kind, weight } of rows) {
      const each = featureWeight(features)
      const sums = Array.from(biases)
      for (let own = 0; own < kinds; own += 1)
        for (const bucket of features)
          sums[own] = (sums[own] ?? 0) + each * (weights[own * BUCKETS + bucket] ?? 0)
      const max = Math.max(...sums)
      const powers = sums.map((sum) => Math.exp(sum - max))
      const all = powers.reduce((sum, power) => sum + power, 0)
      for (let own = 0; own < kinds; own += 1) {
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
  const own = means.subarray(0, none * BUCKETS)
  const kept = own.map((weight, at) => weight - (means[none * BUCKETS + (at % BUCKETS)] ?? 0))
  const differences = Array.from(biases.subarray(0, none), (bias) => bias - (biases[none] ?? 0))
  return writeTextModel(differences, kept)
}
