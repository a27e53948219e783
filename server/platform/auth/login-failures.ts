import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../audit/audit.ts'
import { addFailures } from './store.accounts.ts'

/** The first wrong password is an entry, and then every so many. */
const FAILURES_PER_ENTRY = 5
const WRITE_MS = 2_000

interface FailureCount {
  workspaceId: string
  count: number
  address: string
}

/**
 * Counts wrong passwords of people who exist. They are written down together a little later, not
 * with the answer: a write that only a known e-mail causes would be felt by whoever asks.
 */
export class LoginFailures {
  readonly #ctx: Context
  #waiting = new Map<string, FailureCount>()
  #isWaiting = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Notes one wrong password. */
  note(user: { id: string; workspace_id: string }, address: string): void {
    const before = this.#waiting.get(user.id)?.count ?? 0
    this.#waiting.set(user.id, { workspaceId: user.workspace_id, count: before + 1, address })
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#ctx.clock.after(WRITE_MS, () => {
      this.#isWaiting = false
      const waiting = [...this.#waiting]
      this.#waiting = new Map()
      for (const [userId, failures] of waiting) void this.#write(userId, failures)
    })
  }

  /** Takes what was noted and not written yet; the password was right now. */
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
      this.#ctx.log.warn({ err: error }, 'wrong passwords were not noted')
    }
  }
}
