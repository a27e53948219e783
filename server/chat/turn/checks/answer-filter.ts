import { CitationStripper } from '../citation-stream.ts'
import { LeakGuard } from '../leak-guard.ts'
import type { SystemPrompt } from '../system-prompt.ts'
import type { AllowedClaims } from './claims.ts'
import { SentenceGate } from './sentence-gate.ts'

/**
 * Filters a model's text before a visitor sees it: removes citation marks, stops at a leak of the
 * system prompt, and sends each sentence once its claims are found in the sources.
 */
export class AnswerFilter {
  /** The sentences that were sent. */
  content = ''
  /** Claims of the stopped sentence that are in no source. Nothing is sent after it. */
  missing: string[] = []
  readonly #systemPrompt: SystemPrompt
  readonly #claims: AllowedClaims
  readonly #used = new Set<number>()
  readonly #sent = new Set<string>()
  #marks: CitationStripper
  #guard: LeakGuard
  #gate = new SentenceGate()

  /** `passages` is the number of passages that can be cited. */
  constructor(systemPrompt: SystemPrompt, claims: AllowedClaims, passages: number) {
    this.#systemPrompt = systemPrompt
    this.#claims = claims
    this.#marks = new CitationStripper(passages)
    this.#guard = new LeakGuard(systemPrompt.instructions, systemPrompt.canary)
  }

  get isLeaking(): boolean {
    return this.#guard.isLeaking
  }

  /** Whether the model has marked that the passages hold no answer. */
  get isUnknown(): boolean {
    return this.#marks.isUnknown
  }

  /** Indexes of the cited passages, from 0. */
  get used(): number[] {
    return [...new Set([...this.#used, ...this.#marks.used])]
  }

  /** Further passages can be cited. */
  allowPassages(passages: number): void {
    this.#marks.count = passages
  }

  /** Returns what may be sent of the text so far; an empty text after a leak or a stop. */
  push(text: string): string {
    if (this.missing.length > 0) return ''
    return this.#admit(this.#gate.push(this.#guard.push(this.#marks.push(text))))
  }

  /** Returns what may be sent of the rest. */
  end(): string {
    if (this.missing.length > 0) return ''
    const rest = this.#guard.push(this.#marks.end()) + this.#guard.end()
    if (this.#guard.isLeaking) return ''
    return this.#admit([...this.#gate.push(rest), ...this.#gate.end()])
  }

  /** Begins a second answer, which goes on behind the sentences that were sent. */
  restart(): void {
    if (this.content !== '') for (const place of this.#marks.used) this.#used.add(place)
    this.#marks = new CitationStripper(this.#marks.count)
    this.#guard = new LeakGuard(this.#systemPrompt.instructions, this.#systemPrompt.canary)
    this.#gate = new SentenceGate()
    this.missing = []
    if (this.content !== '') this.#gate.push(' ')
  }

  #admit(sentences: readonly string[]): string {
    let admitted = ''
    for (const sentence of sentences) {
      this.missing = this.#claims.missingIn(sentence)
      if (this.missing.length > 0) break
      const plain = sentence.trim()
      // A second answer may repeat what was sent.
      if (plain !== '' && this.#sent.has(plain)) continue
      this.#sent.add(plain)
      admitted += sentence
    }
    this.content += admitted
    return admitted
  }
}
