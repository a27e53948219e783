/** Vectors up to this number are all compared exactly. */
const MAX_EXACT = 1_000
/** Candidates that the comparison of signs leaves for the exact one. */
const CANDIDATES = 256
const BITS = 32
const MAX_CODE = 127

/** A vector of length 1 as one signed byte for each number, and the factor that restores them. */
export interface QuantizedVector {
  codes: Int8Array
  scale: number
}

/** Quantizes a vector; what is lost is some 0.5 % of a cosine. */
export function quantize(vector: Float32Array): QuantizedVector {
  let max = 0
  for (const value of vector) max = Math.max(max, Math.abs(value))
  const scale = max / MAX_CODE
  const codes = Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale)))
  return { codes, scale }
}

/**
 * The vectors of a tenant's passages in typed arrays: a byte a number, and a bit a number that says on
 * which side of the mean it is. A search compares the bits of all and the bytes of the nearest.
 */
export class VectorIndex {
  readonly dimension: number
  /** Memory of the arrays. */
  readonly bytes: number
  readonly #places: Int32Array
  readonly #codes: Int8Array
  readonly #scales: Float32Array
  readonly #mean: Float32Array
  readonly #signs: Int32Array
  readonly #words: number

  /** `place` is the number of the passage in the search index. Vectors of other lengths are left out. */
  constructor(dimension: number, vectors: readonly (QuantizedVector & { place: number })[]) {
    const own = vectors.filter(({ codes }) => codes.length === dimension)
    this.dimension = dimension
    this.#words = Math.ceil(dimension / BITS)
    this.#places = Int32Array.from(own, ({ place }) => place)
    this.#scales = Float32Array.from(own, ({ scale }) => scale)
    this.#codes = new Int8Array(own.length * dimension)
    for (const [slot, { codes }] of own.entries()) this.#codes.set(codes, slot * dimension)
    this.#mean = this.#meanOf(own.length)
    this.#signs = new Int32Array(own.length * this.#words)
    for (let slot = 0; slot < own.length; slot += 1) {
      const scale = this.#scales[slot] ?? 0
      const from = slot * dimension
      this.#writeSigns(this.#signs, slot * this.#words, (at) => {
        return (this.#codes[from + at] ?? 0) * scale
      })
    }
    this.bytes =
      this.#places.byteLength +
      this.#scales.byteLength +
      this.#codes.byteLength +
      this.#mean.byteLength +
      this.#signs.byteLength
  }

  /** Returns the memory of an index before it is built. */
  static bytesOf(dimension: number, vectors: number): number {
    return vectors * (dimension + Math.ceil(dimension / BITS) * 4 + 8) + dimension * 4
  }

  /** Returns the places of the passages nearest to a vector of length 1, the nearest first. */
  nearest(vector: Float32Array, limit: number): number[] {
    if (vector.length !== this.dimension) return []
    const total = this.#places.length
    const slots =
      total <= MAX_EXACT ? Array.from({ length: total }, (_, at) => at) : this.#alike(vector)
    const rated = slots.map((slot) => ({ slot, likeness: this.#likeness(vector, slot) }))
    const best = rated.toSorted((a, b) => b.likeness - a.likeness || a.slot - b.slot)
    return best.slice(0, limit).map(({ slot }) => this.#places[slot] ?? 0)
  }

  /** The cosine of a vector and that of a slot. */
  #likeness(vector: Float32Array, slot: number): number {
    const from = slot * this.dimension
    let sum = 0
    for (let at = 0; at < this.dimension; at += 1) {
      sum += (vector[at] ?? 0) * (this.#codes[from + at] ?? 0)
    }
    return sum * (this.#scales[slot] ?? 0)
  }

  /** The slots whose signs differ least: about `CANDIDATES`, and those as near as the last one. */
  #alike(vector: Float32Array): number[] {
    const wanted = new Int32Array(this.#words)
    this.#writeSigns(wanted, 0, (at) => vector[at] ?? 0)
    const total = this.#places.length
    const words = this.#words
    const signs = this.#signs
    const distances = new Uint16Array(total)
    const counts = new Uint32Array(words * BITS + 1)
    for (let slot = 0, from = 0; slot < total; slot += 1, from += words) {
      let distance = 0
      for (let at = 0; at < words; at += 1) {
        distance += bitsOf((signs[from + at] ?? 0) ^ (wanted[at] ?? 0))
      }
      distances[slot] = distance
      counts[distance] = (counts[distance] ?? 0) + 1
    }
    let left = CANDIDATES
    let most = 0
    while (most < counts.length && left > (counts[most] ?? 0)) {
      left -= counts[most] ?? 0
      most += 1
    }
    const slots: number[] = []
    for (let slot = 0; slot < total; slot += 1) {
      if ((distances[slot] ?? 0) <= most) slots.push(slot)
    }
    return slots
  }

  /** Most models give all vectors a common direction, which says nothing. */
  #meanOf(count: number): Float32Array {
    const mean = new Float32Array(this.dimension)
    for (let slot = 0; slot < count; slot += 1) {
      const scale = (this.#scales[slot] ?? 0) / count
      const from = slot * this.dimension
      for (let at = 0; at < this.dimension; at += 1) {
        mean[at] = (mean[at] ?? 0) + (this.#codes[from + at] ?? 0) * scale
      }
    }
    return mean
  }

  #writeSigns(into: Int32Array, start: number, valueAt: (at: number) => number): void {
    for (let at = 0; at < this.dimension; at += 1) {
      if (valueAt(at) <= (this.#mean[at] ?? 0)) continue
      const word = start + (at >>> 5)
      into[word] = (into[word] ?? 0) | (1 << (at & 31))
    }
  }
}

/** The number of bits that are set (Warren, "Hacker's Delight", 5-1). */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const nibbles = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
}
