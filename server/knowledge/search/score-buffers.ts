/** How much longer than asked for an array is made, so that the next longer one rarely needs a new one. */
const SPARE = 1.5

/** The arrays of a query over the units of an index, zeroed. */
export interface ScoreArrays {
  score: Float32Array
  covered: Float32Array
  count: Float32Array
  about: Float32Array
  impact: Float32Array
  match: Float32Array
  touched: Uint32Array
}

/**
 * An array of numbers that queries use in turn: allocating one takes as long as scoring hundreds of
 * passages. A search never waits, so the next one may write over what it has read.
 */
export class NumberBuffer {
  #numbers = new Float64Array(0)

  /** Zeros; the numbers that were given before are void. */
  take(length: number): Float64Array {
    if (length > this.#numbers.length) this.#numbers = new Float64Array(Math.ceil(length * SPARE))
    return this.#numbers.subarray(0, length).fill(0)
  }
}

/** The same for all arrays of a query. */
export class ScoreBuffers {
  #length = 0
  #arrays = allocate(0)

  take(length: number): ScoreArrays {
    if (length > this.#length) {
      this.#length = Math.ceil(length * SPARE)
      this.#arrays = allocate(this.#length)
    }
    const { score, covered, count, about, impact, match, touched } = this.#arrays
    return {
      score: score.subarray(0, length).fill(0),
      covered: covered.subarray(0, length).fill(0),
      count: count.subarray(0, length).fill(0),
      about: about.subarray(0, length).fill(0),
      impact: impact.subarray(0, length).fill(0),
      match: match.subarray(0, length).fill(0),
      touched: touched.subarray(0, length),
    }
  }
}

/**
 * The arrays that searches write to, one search after the other. One instance serves all indexes of a process; a
 * search that is given none allocates its own.
 */
export class SearchBuffers {
  readonly passages = new ScoreBuffers()
  readonly documents = new ScoreBuffers()
  readonly headings = new ScoreBuffers()
  readonly ofDocuments = new NumberBuffer()
  readonly ofPassages = new NumberBuffer()
}

function allocate(length: number): ScoreArrays {
  return {
    score: new Float32Array(length),
    covered: new Float32Array(length),
    count: new Float32Array(length),
    about: new Float32Array(length),
    impact: new Float32Array(length),
    match: new Float32Array(length),
    touched: new Uint32Array(length),
  }
}
