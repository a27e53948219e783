import type { RE2JS } from 're2js'

/** About a tenth of a second of the event loop, whatever the schema and its patterns. */
const MAX_STEPS = 20_000_000
/** Instructions of all compiled patterns of a schema. */
const MAX_PROGRAM_SIZE = 10_000
const STEPS_PER_VALUE = 10
/** The native expressions behind formats may backtrack. */
const MAX_FORMAT_LENGTH = 2_048
const STEPS_PER_FORMAT_CHARACTER = 10

/** A check that would hold the event loop for too long. */
export class CheckTooExpensiveError extends Error {}

/** The size of inputs: JSON values, characters of names and texts, and the longest list. */
export interface InputsSize {
  values: number
  characters: number
  longestList: number
}

/** The steps that one check may take. Checks are synchronous, so that one budget serves a schema. */
export class CheckBudget {
  #left = 0
  #programSize = 0

  /**
   * Starts a check of inputs against a schema of this weight. Returns its steps, which bound the work
   * of all keywords but patterns and formats. Throws `CheckTooExpensiveError`.
   */
  start(weight: { values: number; uniqueLists: number }, size: InputsSize): number {
    this.#left = MAX_STEPS
    const perKeyword = size.values * STEPS_PER_VALUE + size.characters
    const steps = weight.values * perKeyword + weight.uniqueLists * size.longestList * perKeyword
    this.spend(steps)
    return steps
  }

  /** Takes steps before they are made. Throws `CheckTooExpensiveError`. */
  spend(steps: number): void {
    this.#left -= steps
    if (!(this.#left >= 0)) throw new CheckTooExpensiveError('The check takes too many steps.')
  }

  /** Counts a compiled pattern. Throws for patterns that are too large together. */
  addProgram(size: number): void {
    this.#programSize += size
    if (this.#programSize > MAX_PROGRAM_SIZE) throw new Error('its patterns are too large')
  }

  /** Bounds a format: long texts never match, others cost steps. */
  limitFormat(test: (text: string) => boolean): (text: string) => boolean {
    return (text) => {
      if (text.length > MAX_FORMAT_LENGTH) return false
      this.spend(text.length * STEPS_PER_FORMAT_CHARACTER)
      return test(text)
    }
  }
}

/** A pattern in linear time; each match spends program size times text length from the budget. */
export class LinearPattern {
  readonly #compiled: RE2JS
  readonly #source: string
  readonly #budget: CheckBudget

  constructor(compiled: RE2JS, source: string, budget: CheckBudget) {
    this.#compiled = compiled
    this.#source = source
    this.#budget = budget
    budget.addProgram(compiled.programSize())
  }

  test(text: string): boolean {
    this.#budget.spend(this.#compiled.programSize() * text.length)
    return this.#compiled.matcher(text).find()
  }

  /** Ajv keeps patterns apart by this. */
  toString(): string {
    return this.#source
  }
}
