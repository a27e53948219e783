/** As long as `pg` waits for a connection of its pool, and with the same error: 503 to the caller. */
const WAIT_TIMEOUT_MS = 5_000
const TIMED_OUT = 'timeout exceeded when trying to connect: the caller has all of its connections.'

interface Waiter {
  owner: string
  admit: () => void
}

/** The connections that the gate lets its callers have at once. */
interface GateBounds {
  /** For one workspace or account. */
  perOwner: number
  /** For all of them together. */
  total: number
}

/**
 * Bounds the connections of each owner, a workspace or an account, before they are taken from the pool:
 * what waits for a locked row of one leaves the others theirs. Work without an owner is not bounded. First
 * come, first served, but for those whose owner has all of its connections.
 */
export class ConnectionGate {
  readonly #bounds: () => GateBounds
  /** Connections by owner; only owners that have some. */
  readonly #inUse = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  #total = 0

  /** The bounds may change; smaller ones take no connection from anybody. */
  constructor(bounds: () => GateBounds) {
    this.#bounds = bounds
  }

  get waitingCount(): number {
    return this.#waiters.size
  }

  /** Callers that wait for connections of other owners, not for those of their own. */
  get crowdedCount(): number {
    if (this.#total < this.#bounds().total) return 0
    let count = 0
    for (const { owner } of this.#waiters) if (this.#hasShare(owner)) count += 1
    return count
  }

  /** Resolves with a function that leaves again; rejects after a timeout. */
  async enter(owner: string | undefined): Promise<() => void> {
    if (owner === undefined) return () => undefined
    if (this.#isOpenTo(owner)) this.#count(owner, 1)
    else await this.#wait(owner)
    return () => {
      this.#count(owner, -1)
      this.#admitWaiters()
    }
  }

  #wait(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        owner,
        admit: () => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          this.#count(owner, 1)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter)
        reject(new Error(TIMED_OUT))
      }, WAIT_TIMEOUT_MS)
      this.#waiters.add(waiter)
    })
  }

  #admitWaiters(): void {
    for (const { owner, admit } of this.#waiters) {
      if (this.#total >= this.#bounds().total) return
      if (this.#hasShare(owner)) admit()
    }
  }

  #isOpenTo(owner: string): boolean {
    return this.#total < this.#bounds().total && this.#hasShare(owner)
  }

  #hasShare(owner: string): boolean {
    return (this.#inUse.get(owner) ?? 0) < this.#bounds().perOwner
  }

  #count(owner: string, change: 1 | -1): void {
    const count = (this.#inUse.get(owner) ?? 0) + change
    if (count > 0) this.#inUse.set(owner, count)
    else this.#inUse.delete(owner)
    this.#total += change
  }
}
