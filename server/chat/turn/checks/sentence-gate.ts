import { sentenceEnds } from '../../../lib/text/sentences.ts'

/** A model that ends no sentence is checked in parts of this length, between words. */
const MAX_HELD_LENGTH = 600

/** Holds a streamed text back until a sentence or a line is complete, so that it can be checked. */
export class SentenceGate {
  #held = ''

  /** Returns the sentences that are complete, each with the space before it. */
  push(text: string): string[] {
    this.#held += text
    const complete: string[] = []
    for (;;) {
      const end = this.#nextEnd()
      if (end === undefined) return complete
      complete.push(this.#held.slice(0, end))
      this.#held = this.#held.slice(end)
    }
  }

  /** Returns the rest, which nothing follows. */
  end(): string[] {
    const rest = this.#held
    this.#held = ''
    return rest === '' ? [] : [rest]
  }

  #nextEnd(): number | undefined {
    const lead = this.#held.length - this.#held.trimStart().length
    const line = this.#held.indexOf('\n', lead)
    const paragraph = line === -1 ? this.#held : this.#held.slice(0, line)
    const [sentence] = sentenceEnds(paragraph)
    if (sentence !== undefined) return sentence
    if (line !== -1) return line
    if (this.#held.length < MAX_HELD_LENGTH) return undefined
    const space = this.#held.lastIndexOf(' ')
    return space > lead ? space : undefined
  }
}
