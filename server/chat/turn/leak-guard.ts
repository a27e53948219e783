/** So many characters in a row out of the secret text are no chance. */
const LEAK_LENGTH = 48
/** The canary is random: so many of its characters cannot come from anywhere else. */
const CANARY_LENGTH = 8
/** Shorter runs are shown: common words are in any text. */
const HOLDBACK_LENGTH = 8
const CANARY_HOLDBACK_LENGTH = 3

/**
 * Watches a text while it is being written, so that nothing the model was told in confidence gets
 * out: what runs along the secret text is held back, until it goes its own way or has run too far.
 */
export class LeakGuard {
  isLeaking = false
  readonly #instructions: Run
  readonly #canary: Run
  /** The characters of the longer run that were not shown yet. */
  #held: string[] = []

  constructor(instructions: string, canary: string) {
    this.#instructions = new Run(instructions)
    this.#canary = new Run(canary)
  }

  /** The text that can be shown by now; nothing more once it leaks. */
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

  /** What was held back and turned out to be harmless. */
  end(): string {
    const rest = this.isLeaking ? '' : this.#held.join('')
    this.#held = []
    return rest
  }
}

/** How far the end of a text runs along another one, whatever its case and spaces. */
class Run {
  readonly #secret: string
  #characters: string[] = []
  /** How many characters of the text make the run, spaces that do not count among them. */
  #widths: number[] = []

  constructor(secret: string) {
    this.#secret = [...secret].map(plain).join('').replaceAll(/ +/g, ' ')
  }

  /** In characters as they were written. */
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
