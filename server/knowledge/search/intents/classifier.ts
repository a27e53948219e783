import { findFeature, type IntentModel, WEIGHT_STEP } from './model.ts'

/** Below this power of e, which is a thousandth, an intent is not told beside the likeliest one. */
const MIN_POWER = -7

/**
 * The likelihood of each intent of a text with these features, 0–1 each, in the order of the model. Together they are 1,
 * or less by the likelihood of no intent.
 */
export function classify(asked: ReadonlySet<number>, model: IntentModel): Float32Array {
  const { rarities, starts, intents, weights, costs, none, temper, decay } = model
  const scores = new Float32Array(costs.length)
  let rarity = 0
  // Plain loops: every part of every page is classified.
  for (const feature of asked) {
    const at = findFeature(model, feature)
    if (at === undefined) continue
    rarity += rarities[at] ?? 0
    const end = starts[at + 1] ?? 0
    for (let place = starts[at] ?? 0; place < end; place += 1) {
      const intent = intents[place] ?? 0
      scores[intent] = (scores[intent] ?? 0) + (weights[place] ?? 0)
    }
  }
  let max = none
  for (let intent = 0; intent < scores.length; intent += 1) {
    const score = (scores[intent] ?? 0) * WEIGHT_STEP - rarity * (costs[intent] ?? 0)
    scores[intent] = score
    max = Math.max(max, score)
  }
  const exponent = temper / Math.max(1, rarity) ** decay
  let sum = Math.exp((none - max) * exponent)
  for (let intent = 0; intent < scores.length; intent += 1) {
    const power = ((scores[intent] ?? 0) - max) * exponent
    const likelihood = power < MIN_POWER ? 0 : Math.exp(power)
    scores[intent] = likelihood
    sum += likelihood
  }
  for (let intent = 0; intent < scores.length; intent += 1)
    scores[intent] = (scores[intent] ?? 0) / sum
  return scores
}
