import { currentAccount, currentWorkspace } from '../workspace-scope.ts'
import { ConnectionGate } from './connection-gate.ts'

/** The part of the pool that transactions of one workspace may have; its reads may have half. */
const WORKSPACE_SHARE = 0.25
const WORKSPACE_READS_SHARE = 0.5
/** The part that transactions of workspaces leave to sign-in, reads and readiness. */
const RESERVED_SHARE = 0.25
/** Sign-ins of an account take turns at its row: a second connection would only wait for the first. */
const CONNECTIONS_PER_ACCOUNT = 1
const MIN_SIGN_INS = 2
/** The part of the connections of all sign-ins that those of one workspace may have. */
const WORKSPACE_SIGN_INS_SHARE = 0.5

/**
 * What comes before the pool: the bounds of workspaces, and of the accounts that somebody signs in to.
 * Work for neither, such as a job, is not bounded.
 */
export class ConnectionGates {
  readonly #transactions: ConnectionGate
  readonly #reads: ConnectionGate
  readonly #accounts: ConnectionGate
  /** By workspace: what waits for a row of the workspace stops each of its accounts. */
  readonly #signIns: ConnectionGate

  /** The size of the pool may change. */
  constructor(size: () => number) {
    const reserved = () => Math.max(1, Math.floor(size() * RESERVED_SHARE))
    // One of the reserve is for reads and readiness, except in a small pool.
    const signIns = () => Math.max(MIN_SIGN_INS, reserved() - 1)
    this.#transactions = new ConnectionGate(() => ({
      perOwner: Math.ceil(size() * WORKSPACE_SHARE),
      total: Math.max(1, size() - reserved()),
    }))
    this.#reads = new ConnectionGate(() => ({
      perOwner: Math.ceil(size() * WORKSPACE_READS_SHARE),
      total: size(),
    }))
    this.#accounts = new ConnectionGate(() => ({
      perOwner: CONNECTIONS_PER_ACCOUNT,
      total: Infinity,
    }))
    this.#signIns = new ConnectionGate(() => ({
      perOwner: Math.ceil(signIns() * WORKSPACE_SIGN_INS_SHARE),
      total: signIns(),
    }))
  }

  get waitingCount(): number {
    return this.#sum((gate) => gate.waitingCount)
  }

  /** Callers that wait for connections of others, not for those of their own. */
  get crowdedCount(): number {
    return this.#sum((gate) => gate.crowdedCount)
  }

  /**
   * Waits for the part of the running code, of an account before a workspace. Resolves with a function
   * that leaves again; rejects after a timeout. `mayWait`: the connection is for what may wait for rows.
   */
  async enter(mayWait: boolean): Promise<() => void> {
    const account = currentAccount()
    if (!mayWait) return this.#reads.enter(currentWorkspace())
    if (account === undefined) return this.#transactions.enter(currentWorkspace())
    const leaveAccount = await this.#accounts.enter(account.id)
    try {
      const leaveSignIns = await this.#signIns.enter(account.workspaceId)
      return () => {
        leaveSignIns()
        leaveAccount()
      }
    } catch (error) {
      leaveAccount()
      throw error
    }
  }

  #sum(count: (gate: ConnectionGate) => number): number {
    const gates = [this.#transactions, this.#reads, this.#accounts, this.#signIns]
    return gates.reduce((all, gate) => all + count(gate), 0)
  }
}
