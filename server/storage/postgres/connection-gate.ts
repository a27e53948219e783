/** As long as `pg` waits for a connection of its pool, and with the same error: 503 to the caller. */
const WAIT_TIMEOUT_MS = 5_000
const TIMED_OUT =
  'timeout exceeded when trying to connect: the workspace has all of its connections.'

interface Waiter {
  workspaceId: string
  admit: () => void
}

/** The connections that the gate lets workspaces have at once. */
interface GateBounds {
  /** For one workspace. */
  perWorkspace: number
  /** For all of them together. */
  total: number
}

/**
 * Bounds the connections of each workspace before they are taken from the pool: what waits for a locked
 * row of one workspace leaves the others theirs. Work without a workspace, such as sign-in or a job, is
 * not bounded. First come, first served, but for those whose workspace has all of its connections.
 */
export class ConnectionGate {
  readonly #bounds: () => GateBounds
  /** Connections by workspace; only workspaces that have some. */
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

  /** Callers that wait for connections of other workspaces, not for those of their own. */
  get crowdedCount(): number {
    if (this.#total < this.#bounds().total) return 0
    let count = 0
    for (const { workspaceId } of this.#waiters) if (this.#hasShare(workspaceId)) count += 1
    return count
  }

  /** Resolves with a function that leaves again; rejects after a timeout. */
  async enter(workspaceId: string | undefined): Promise<() => void> {
    if (workspaceId === undefined) return () => undefined
    if (this.#isOpenTo(workspaceId)) this.#count(workspaceId, 1)
    else await this.#wait(workspaceId)
    return () => {
      this.#count(workspaceId, -1)
      this.#admitWaiters()
    }
  }

  #wait(workspaceId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        workspaceId,
        admit: () => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          this.#count(workspaceId, 1)
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
    for (const { workspaceId, admit } of this.#waiters) {
      if (this.#total >= this.#bounds().total) return
      if (this.#hasShare(workspaceId)) admit()
    }
  }

  #isOpenTo(workspaceId: string): boolean {
    return this.#total < this.#bounds().total && this.#hasShare(workspaceId)
  }

  #hasShare(workspaceId: string): boolean {
    return (this.#inUse.get(workspaceId) ?? 0) < this.#bounds().perWorkspace
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const count = (this.#inUse.get(workspaceId) ?? 0) + change
    if (count > 0) this.#inUse.set(workspaceId, count)
    else this.#inUse.delete(workspaceId)
    this.#total += change
  }
}
