import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { SECOND_MS } from '../lib/durations.ts'
import { isStorageFault, isTimeLimit } from '../http/errors.ts'

declare module '../context.ts' {
  interface Services {
    /** Logs an outage of the database once, whatever fails during it. */
    readonly outage: Outage
  }
}

/** While an outage lasts, the database is judged this often. */
const CHECK_INTERVAL_MS = SECOND_MS

/**
 * The outage of the database that this process sees, if any: a line in the log when it begins, and one
 * when it is over. Over means that the database is judged well and that nothing failed since the
 * judgement before.
 */
export class Outage {
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  #startedAt: number | undefined
  #failures = 0
  #isQuiet = true
  #isWell: (() => Promise<boolean>) | undefined
  #cancel: () => void = () => undefined

  constructor({ clock, log }: { clock: Clock; log: FastifyBaseLogger }) {
    this.#clock = clock
    this.#log = log
  }

  /** Sets what judges the database while an outage lasts. */
  judgeBy(isWell: () => Promise<boolean>): void {
    this.#isWell = isWell
  }

  /**
   * Returns whether an error is a fault of the database; it then belongs to the outage, and needs no line
   * of its own.
   */
  note(error: unknown): boolean {
    // A row that stays locked is somebody's, and the database works.
    if (!isStorageFault(error) || isTimeLimit(error)) return false
    this.begin('The database fails.', error)
    return true
  }

  /** Logs the first problem of an outage, and counts the others. */
  begin(problem: string, cause?: unknown): void {
    this.#failures += 1
    this.#isQuiet = false
    if (this.#startedAt !== undefined) return
    this.#startedAt = this.#clock.now()
    this.#log.error(
      { event: 'outage.began', ...(cause === undefined ? {} : { err: cause }) },
      `${problem} What fails until it is over is not logged.`,
    )
    this.#scheduleCheck()
  }

  stop(): void {
    this.#cancel()
  }

  #scheduleCheck(): void {
    this.#cancel = this.#clock.after(CHECK_INTERVAL_MS, () => void this.#check())
  }

  async #check(): Promise<void> {
    const wasQuiet = this.#isQuiet
    this.#isQuiet = true
    const isWell = (await this.#isWell?.()) ?? false
    if (isWell && wasQuiet && this.#isQuiet) this.#end()
    else this.#scheduleCheck()
  }

  #end(): void {
    const now = this.#clock.now()
    const lastedMs = Math.max(0, now - (this.#startedAt ?? now))
    this.#log.info(
      { event: 'outage.ended', lastedMs, failures: this.#failures },
      'The database works again.',
    )
    this.#startedAt = undefined
    this.#failures = 0
  }
}
