/** The proof of work that the service asks for before it issues a visitor token. */
export interface Challenge {
  challenge: string
  /** Zero bits that the hash has to begin with. */
  bits: number
}

export interface Proof {
  challenge: string
  nonce: string
}

/** Milliseconds of work at a time, so that the page goes on running smoothly. */
const SLICE_MS = 8
/** Hashes between two looks at the clock. */
const BATCH = 50
const BLOCK = 64

/**
 * Finds the nonce that makes the SHA-256 of `challenge.nonce` begin with enough zero bits. By hand:
 * `SubtleCrypto` is missing on pages without HTTPS and slower for so many short texts, and a worker
 * would be one more thing for a page's policy to forbid.
 */
export async function solve({ challenge, bits }: Challenge): Promise<Proof> {
  const bytes = new TextEncoder().encode(`${challenge}.`)
  const whole = bytes.length - (bytes.length % BLOCK)
  const hash = createHash(bytes.subarray(0, whole), whole)
  const rest = bytes.subarray(whole)
  for (let tried = 0; ;) {
    const end = performance.now() + SLICE_MS
    while (performance.now() < end) {
      for (const last = tried + BATCH; tried < last; tried++) {
        const nonce = tried.toString(36)
        if (hash(rest, nonce) >>> (32 - bits) === 0) return { challenge, nonce }
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve)
    })
  }
}

/** Of the fractions of the roots of the first primes, 32 bits each (FIPS 180-4). */
function constants(): { start: Int32Array; rounds: Int32Array } {
  const start = new Int32Array(8)
  const rounds = new Int32Array(64)
  for (let number = 2, count = 0; count < 64; number++) {
    let isPrime = true
    for (let by = 2; by * by <= number; by++) if (number % by === 0) isPrime = false
    if (!isPrime) continue
    if (count < 8) start[count] = (Math.sqrt(number) % 1) * 2 ** 32
    rounds[count++] = (Math.cbrt(number) % 1) * 2 ** 32
  }
  return { start, rounds }
}

/** Returns a function that hashes `prefix`, a rest and a nonce, and returns the first 32 bits. */
function createHash(
  prefix: Uint8Array,
  prefixLength: number,
): (rest: Uint8Array, nonce: string) => number {
  const { start, rounds } = constants()
  const words = new Int32Array(64)
  const block = new Uint8Array(2 * BLOCK)
  const view = new DataView(block.buffer)

  function digest(state: Int32Array, from: DataView, offset: number): void {
    for (let at = 0; at < 16; at++) words[at] = from.getInt32(offset + at * 4)
    for (let at = 16; at < 64; at++) {
      const far = words[at - 15] ?? 0
      const near = words[at - 2] ?? 0
      const one = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
      const two = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
      words[at] = (words[at - 16] ?? 0) + one + (words[at - 7] ?? 0) + two
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let at = 0; at < 64; at++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g))) | 0
      const mixed = (one + (rounds[at] ?? 0) + (words[at] ?? 0)) | 0
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + mixed) | 0
      d = c
      c = b
      b = a
      a = (mixed + two) | 0
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries())
      state[at] = (state[at] ?? 0) + value
  }

  const begun = Int32Array.from(start)
  const prefixView = new DataView(prefix.buffer, prefix.byteOffset)
  for (let at = 0; at < prefixLength; at += BLOCK) digest(begun, prefixView, at)

  return (rest, nonce) => {
    const length = rest.length + nonce.length
    const end = length + 9 > BLOCK ? 2 * BLOCK : BLOCK
    block.fill(0)
    block.set(rest)
    for (let at = 0; at < nonce.length; at++) block[rest.length + at] = nonce.charCodeAt(at)
    block[length] = 0x80
    view.setUint32(end - 4, (prefixLength + length) * 8)
    const state = Int32Array.from(begun)
    for (let at = 0; at < end; at += BLOCK) digest(state, view, at)
    return state[0] ?? 0
  }
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
