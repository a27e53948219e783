import { type Context, type Transaction, transaction } from '../context.ts'

const MOST_TOGETHER = 256

/** One who waits for their part of a transaction. */
interface Waiting<Ask, Answer> {
  ask: Ask
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Does for several what they ask for at the same time, in one transaction; answers each, in their
 * order, or with the error that is theirs alone.
 */
type Work<Ask, Answer> = (
  tx: Transaction,
  workspaceId: string,
  asks: readonly Ask[],
) => Promise<(Answer | Error)[]>

/**
 * Transactions of one kind that change the same rows of a workspace, such as its balance. Each
 * would wait for the one before it; here those that come meanwhile share the next one, so that a
 * crowd costs a few statements in all rather than a few each.
 */
export class Batches<Ask, Answer> {
  readonly #work: Work<Ask, Answer>
  readonly #isRelaxed: boolean
  /** Who waits, by workspace; there is a list for as long as a transaction is under way. */
  readonly #waiting = new Map<string, Waiting<Ask, Answer>[]>()

  /** `isRelaxed` as in `transaction`. */
  constructor(work: Work<Ask, Answer>, { isRelaxed = false } = {}) {
    this.#work = work
    this.#isRelaxed = isRelaxed
  }

  /** Resolves or rejects once the transaction that has the answer is committed. */
  run(ctx: Context, workspaceId: string, ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const one = { ask, resolve, reject }
      const waiting = this.#waiting.get(workspaceId)
      if (waiting) {
        waiting.push(one)
        return
      }
      const first = [one]
      this.#waiting.set(workspaceId, first)
      void this.#runAll(ctx, workspaceId, first)
    })
  }

  async #runAll(ctx: Context, workspaceId: string, waiting: Waiting<Ask, Answer>[]): Promise<void> {
    while (waiting.length > 0) {
      const batch: Waiting<Ask, Answer>[] = []
      try {
        const gather = () => {
          batch.push(...waiting.splice(0, MOST_TOGETHER - batch.length))
          return batch
        }
        await this.#runBatch(ctx, workspaceId, gather)
      } catch (error) {
        await this.#runEach(ctx, workspaceId, { batch, waiting, error })
      }
    }
    this.#waiting.delete(workspaceId)
  }

  async #runBatch(
    ctx: Context,
    workspaceId: string,
    gather: () => readonly Waiting<Ask, Answer>[],
  ): Promise<void> {
    let batch: readonly Waiting<Ask, Answer>[] = []
    const answers = await transaction(
      ctx,
      (tx) => {
        // Late, so that whoever came while it had to wait for the database comes along.
        batch = gather()
        const asks = batch.map(({ ask }) => ask)
        return this.#work(tx, workspaceId, asks)
      },
      { isRelaxed: this.#isRelaxed },
    )
    for (const [at, { resolve, reject }] of batch.entries()) {
      const answer = answers[at]
      if (answer === undefined) reject(new Error('The work left an ask without an answer.'))
      else if (answer instanceof Error) reject(answer)
      else resolve(answer)
    }
  }

  /** What fails together is done one by one, so that nobody fails for another's sake. */
  async #runEach(
    ctx: Context,
    workspaceId: string,
    failed: { batch: Waiting<Ask, Answer>[]; waiting: Waiting<Ask, Answer>[]; error: unknown },
  ): Promise<void> {
    const { batch, waiting, error } = failed
    if (batch.length <= 1) {
      // Without a batch, the transaction could not even begin; the others would meet the same.
      const all = batch.length === 0 ? waiting.splice(0) : batch
      for (const { reject } of all) reject(error)
      return
    }
    for (const one of batch) {
      await this.#runBatch(ctx, workspaceId, () => [one]).catch(one.reject)
    }
  }
}
