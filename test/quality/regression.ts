/** A row of a logistic regression. */
export interface Observation {
  x: readonly number[]
  isTrue: boolean
  weight: number
  /** Added to the weighted sum. */
  offset: number
}

const ROUNDS = 8
/** The weight of the first column, the constant, is hardly held back. */
const RIDGE_OF_CONSTANT = 0.001
const MAX_STEP = 4
const CHOICE_ROUNDS = 600
const CHOICE_RATE = 4
const CHOICE_RIDGE = 3

export function sumOf(x: readonly number[], weights: readonly number[]): number {
  return x.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)
}

/** Solves a system of linear equations by elimination; `matrix` has the right side as its last column. */
function solve(matrix: number[][]): number[] {
  const size = matrix.length
  const at = (row: number, column: number): number => matrix[row]?.[column] ?? 0
  for (let column = 0; column < size; column += 1) {
    const pivot = matrix[column] ?? []
    for (let row = column + 1; row < size; row += 1) {
      const share = at(row, column) / (pivot[column] ?? 1)
      matrix[row] = (matrix[row] ?? []).map((value, place) => value - share * (pivot[place] ?? 0))
    }
  }
  const found: number[] = Array.from({ length: size }, () => 0)
  for (let row = size - 1; row >= 0; row -= 1) {
    const known = found.reduce((sum, value, column) => sum + at(row, column) * value, 0)
    found[row] = (at(row, size) - known) / at(row, row)
  }
  return found
}

/** Weights of a logistic regression with a ridge of a strength, by Newton's method; the first column is the constant. */
export function fitLogistic(observations: readonly Observation[], strength: number): number[] {
  const size = observations[0]?.x.length ?? 0
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    // The ridge makes the matrix positive definite, so that no pivot is zero.
    const system = weights.map((weight, row) => {
      const ridge = row === 0 ? RIDGE_OF_CONSTANT : strength
      const columns = weights.map((_, column) => (row === column ? ridge : 0))
      return [...columns, -ridge * weight]
    })
    for (const { x, isTrue, weight, offset } of observations) {
      const chance = 1 / (1 + Math.exp(-(sumOf(x, weights) + offset)))
      const error = weight * ((isTrue ? 1 : 0) - chance)
      const curvature = weight * chance * (1 - chance)
      for (const [row, line] of system.entries()) {
        const own = x[row] ?? 0
        if (own === 0) continue
        for (const [column, other] of x.entries()) {
          line[column] = (line[column] ?? 0) + curvature * own * other
        }
        line[size] = (line[size] ?? 0) + error * own
      }
    }
    const step = solve(system)
    weights = weights.map((weight, at) => {
      return weight + Math.max(-MAX_STEP, Math.min(MAX_STEP, step[at] ?? 0))
    })
  }
  return weights
}

/** Weights by which the alternative that is right gets the highest sum: a conditional logit with a ridge. */
export function fitChoice(
  choices: readonly (readonly { measures: readonly number[]; isRight: boolean }[])[],
): number[] {
  const told = choices.filter((all) => {
    return all.some(({ isRight }) => isRight) && !all.every(({ isRight }) => isRight)
  })
  let weights: number[] = (told[0]?.[0]?.measures ?? []).map(() => 0)
  for (let round = 0; round < CHOICE_ROUNDS; round += 1) {
    const gradient = weights.map((weight) => (-CHOICE_RIDGE * weight) / told.length)
    for (const all of told) {
      const odds = all.map(({ measures }) => Math.exp(sumOf(measures, weights)))
      const total = odds.reduce((sum, value) => sum + value, 0)
      const right = odds.reduce(
        (sum, value, at) => sum + (all[at]?.isRight === true ? value : 0),
        0,
      )
      for (const [at, { measures, isRight }] of all.entries()) {
        const chance = odds[at] ?? 0
        const push = ((isRight ? chance / right : 0) - chance / total) / told.length
        for (const [place, value] of measures.entries()) {
          gradient[place] = (gradient[place] ?? 0) + push * value
        }
      }
    }
    weights = weights.map((weight, at) => weight + CHOICE_RATE * (gradient[at] ?? 0))
  }
  return weights
}
