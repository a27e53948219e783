/** Length of a common run that cannot be chance. */
const LEAK_LENGTH = 48
/** Length of a run of the canary; the canary is random, so a shorter one proves a leak. */
const CANARY_LENGTH = 8
/** Shorter runs pass: common words occur in any text. */
const HOLDBACK_LENGTH = 8
const CANARY_HOLDBACK_LENGTH = 3

/**
 * Filters a streamed text, so that the system prompt cannot leak: text that matches the secret is
 * buffered until it diverges, or until the match is long enough to be a leak.
 */
export class LeakGuard {
  isLeaking = false
  readonly #instructions: Run
  readonly #canary: Run
  /** Buffered characters of the current run. */
  #held: string[] = []

  constructor(instructions: string, canary: string) {
    this.#instructions = new Run(instructions)
    this.#canary = new Run(canary)
  }

  /** Returns the text that is safe to show; an empty one after a leak. */
  push(text: string): string {
    let shown = ''
    for (const character of text) {
      if (this.isLeaking) return shown
      const alongInstructions = this.#instructions.push(character)
      const alongCanary = this.#canary.push(character)
      this.#held.push(character)
      this.isLeaking = alongInstructions >= LEAK_LENGTH || alongCanary >= CANARY_LENGTH
      const held = Math.max(
        alongInstructions < HOLDBACK_LENGTH ? 0 : this.#instructions.length,
        alongCanary < CANARY_HOLDBACK_LENGTH ? 0 : this.#canary.length,
      )
      if (this.#held.length > held) shown += this.#held.splice(0, this.#held.length - held).join('')
    }
    return shown
  }

  /** Returns the buffered text that proved harmless. */
  end(): string {
    const rest = this.isLeaking ? '' : this.#held.join('')
    this.#held = []
    return rest
  }
}

/** Match between the end of a text and a secret, ignoring case and spaces. */
class Run {
  readonly #secret: string
  #characters: string[] = []
  /** Length of the run in the text, ignored spaces included. */
  #widths: number[] = []

  constructor(secret: string) {
    this.#secret = [...secret].map(plain).join('').replaceAll(/ +/g, ' ')
  }

  /** Length in the characters of the original text. */
  get length(): number {
    return this.#widths.reduce((sum, width) => sum + width, 0)
  }

  push(written: string): number {
    const character = plain(written)
    const last = this.#characters.length - 1
    if (character === ' ' && this.#characters[last] === ' ') {
      this.#widths[last] = (this.#widths[last] ?? 0) + 1
      return this.#characters.length
    }
    this.#characters.push(character)
    this.#widths.push(1)
    while (!this.#secret.includes(this.#characters.join(''))) {
      this.#characters.shift()
      this.#widths.shift()
    }
    return this.#characters.length
  }
}

function plain(character: string): string {
  return /\s/.test(character) ? ' ' : character.toLowerCase()
}
