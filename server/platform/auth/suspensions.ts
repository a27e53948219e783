import { AppError } from '../../http/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../../storage/database.ts'
import { listSuspended } from './store.streams.ts'

declare module '../../context.ts' {
  interface Services {
    readonly suspensions: Suspensions
  }
}

/** A suspension by another process takes effect here within this time. */
const MAX_AGE_MS = 1_000

/**
 * The workspaces that the installation's operator has suspended. Every way in asks this one place:
 * logins, keys, visitors, public pages, and hooks of other services.
 */
export class Suspensions {
  readonly #db: Db
  readonly #clock: Clock
  #known: Promise<ReadonlySet<string>> | undefined
  #knownAt = 0

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns whether a workspace is suspended: at most a second late. */
  async has(workspaceId: string): Promise<boolean> {
    return (await this.read()).has(workspaceId)
  }

  /** Throws 403 for a suspended workspace. */
  async assertActive(workspaceId: string): Promise<void> {
    if (await this.has(workspaceId)) throw suspended()
  }

  /** Returns the ids of the suspended workspaces. */
  read(): Promise<ReadonlySet<string>> {
    const now = this.#clock.now()
    if (this.#known && Math.abs(now - this.#knownAt) < MAX_AGE_MS) return this.#known
    const reading = this.#load()
    this.#known = reading
    this.#knownAt = now
    return reading
  }

  /** Makes the next call read again. Called after a suspension changed. */
  invalidate(): void {
    this.#known = undefined
  }

  async #load(): Promise<ReadonlySet<string>> {
    try {
      return new Set(await listSuspended(this.#db))
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }
}

/** Returns the 403 of every call that concerns a suspended workspace. */
export function suspended(): AppError {
  return new AppError(
    'forbidden',
    'This workspace is suspended. Contact the operator of this installation.',
  )
}
