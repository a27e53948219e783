import type { Language } from '../../../lib/text/language.ts'
import { readFeatures } from './features.ts'
import { INTENTS } from './intents.ts'
import { findFeature, type IntentModel, shippedModel, WEIGHT_STEP } from './model.ts'

/**
 * Naive Bayes counts features that say the same as if each said it on its own, the more so the longer the text is; this
 * tempers it. Fitted by the likelihood of 7,138 examples that were written after the others.
 */
const TEMPER = 0.7
const TEMPER_DECAY = 0.6

/** The likelihood of each intent of a text, 0–1 each and 1 together, in the order of `INTENTS`. */
export function classify(
  text: string,
  language: Language | undefined,
  model: IntentModel = shippedModel(),
): Float32Array {
  const { rarities, starts, intents, weights, costs } = model
  const scores = new Float32Array(INTENTS.length)
  let rarity = 0
  // Plain loops: every part of every page is classified.
  for (const feature of readFeatures(text, language)) {
    const at = findFeature(model, feature)
    if (at === undefined) continue
    rarity += rarities[at] ?? 0
    const end = starts[at + 1] ?? 0
    for (let place = starts[at] ?? 0; place < end; place += 1) {
      const intent = intents[place] ?? 0
      scores[intent] = (scores[intent] ?? 0) + (weights[place] ?? 0)
    }
  }
  let max = Number.NEGATIVE_INFINITY
  for (let intent = 0; intent < scores.length; intent += 1) {
    const score = (scores[intent] ?? 0) * WEIGHT_STEP - rarity * (costs[intent] ?? 0)
    scores[intent] = score
    max = Math.max(max, score)
  }
  const temper = TEMPER / Math.max(1, rarity) ** TEMPER_DECAY
  let sum = 0
  for (let intent = 0; intent < scores.length; intent += 1) {
    const likelihood = Math.exp(((scores[intent] ?? 0) - max) * temper)
    scores[intent] = likelihood
    sum += likelihood
  }
  for (let intent = 0; intent < scores.length; intent += 1)
    scores[intent] = (scores[intent] ?? 0) / sum
  return scores
}
