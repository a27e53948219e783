import { type Context, transaction } from '../../context.ts'
import { runForAccount } from '../../storage/workspace-scope.ts'
import { recordAudit } from '../audit/audit.ts'
import { addFailures } from './store.accounts.ts'

/** The first failed login writes an audit entry, and then every fifth. */
const FAILURES_PER_ENTRY = 5
const WRITE_DELAY_MS = 2_000

interface FailureCount {
  workspaceId: string
  count: number
  address: string
}

/**
 * Counts failed logins of existing users. Counts are written in a batch after the response: a write
 * that only a known e-mail causes would reveal by its time that the user exists.
 */
export class LoginFailures {
  readonly #ctx: Context
  #waiting = new Map<string, FailureCount>()
  #isWaiting = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Counts one failed login. */
  note(user: { id: string; workspace_id: string }, address: string): void {
    const before = this.#waiting.get(user.id)?.count ?? 0
    this.#waiting.set(user.id, { workspaceId: user.workspace_id, count: before + 1, address })
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#ctx.clock.after(WRITE_DELAY_MS, () => {
      this.#isWaiting = false
      const waiting = [...this.#waiting]
      this.#waiting = new Map()
      for (const [id, failures] of waiting) {
        const account = { id, workspaceId: failures.workspaceId }
        void runForAccount(account, () => this.#write(id, failures))
      }
    })
  }

  /** Returns and clears the count that is not written yet, after a successful login. */
  tryConsume(userId: string): number {
    const { count = 0 } = this.#waiting.get(userId) ?? {}
    this.#waiting.delete(userId)
    return count
  }

  async #write(userId: string, { workspaceId, count, address }: FailureCount): Promise<void> {
    try {
      await transaction(this.#ctx, async (tx) => {
        const failures = await addFailures(tx.db, userId, count)
        const entries = (all: number) => Math.min(all, 1) + Math.floor(all / FAILURES_PER_ENTRY)
        if (entries(failures) === entries(failures - count)) return
        await recordAudit(tx, workspaceId, {
          actor: { kind: 'user', userId, address },
          action: 'login.failed',
          details: { failures },
        })
      })
    } catch (error) {
      this.#ctx.log.warn(
        { event: 'auth.failure_count_failed', err: error },
        'failed login count failed',
      )
    }
  }
}
