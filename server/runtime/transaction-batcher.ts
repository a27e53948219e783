import { setImmediate } from 'node:timers/promises'
import { type Context, type Transaction, isTransient, transaction } from '../context.ts'

const DEFAULT_MAX_BATCH_SIZE = 256
/**
 * Calls that go on in one turn of the event loop: what follows them, such as the search for an answer,
 * would otherwise keep health checks waiting for a whole batch.
 */
const CALLS_PER_TURN = 16

/** A call that waits for its part of a transaction. */
interface PendingCall<Input, Output> {
  input: Input
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/**
 * The work of one transaction for several calls. Returns an output for each input, in their order,
 * or the error that concerns that call alone. May run again from the start after a deadlock.
 */
type BatchWork<Input, Output> = (
  tx: Transaction,
  workspaceId: string,
  inputs: readonly Input[],
) => Promise<(Output | Error)[]>

/** Does the work in one statement; `undefined` where that does not suffice and nothing was written. */
type StatementWork<Input, Output> = (
  ctx: Context,
  workspaceId: string,
  inputs: readonly Input[],
) => Promise<(Output | Error)[] | undefined>

interface BatcherOptions<Input, Output> {
  /** As in `transaction`. */
  isAsyncCommit?: boolean
  /** The most calls that a transaction serves. */
  maxBatchSize?: number
  /** Is tried before each transaction. */
  inOneStatement?: StatementWork<Input, Output>
}

/**
 * Transactions of one kind that change the same rows of a workspace, such as its balance. One
 * transaction per workspace runs at a time; calls that arrive during it share the next one, so that
 * many concurrent calls cost a few statements in all instead of a few each.
 */
export class TransactionBatcher<Input, Output> {
  readonly #work: BatchWork<Input, Output>
  readonly #isAsyncCommit: boolean
  readonly #maxBatchSize: number
  readonly #inOneStatement: StatementWork<Input, Output> | undefined
  /**
   * Pending calls by workspace; a list exists for as long as a transaction of the workspace runs.
   */
  readonly #pending = new Map<string, PendingCall<Input, Output>[]>()

  constructor(
    work: BatchWork<Input, Output>,
    {
      isAsyncCommit = false,
      maxBatchSize = DEFAULT_MAX_BATCH_SIZE,
      inOneStatement,
    }: BatcherOptions<Input, Output> = {},
  ) {
    this.#work = work
    this.#isAsyncCommit = isAsyncCommit
    this.#maxBatchSize = maxBatchSize
    this.#inOneStatement = inOneStatement
  }

  /** Resolves or rejects once the transaction that has the output is committed. */
  run(ctx: Context, workspaceId: string, input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      const call = { input, resolve, reject }
      const pending = this.#pending.get(workspaceId)
      if (pending) {
        pending.push(call)
        return
      }
      const first = [call]
      this.#pending.set(workspaceId, first)
      void this.#runAll(ctx, workspaceId, first)
    })
  }

  async #runAll(
    ctx: Context,
    workspaceId: string,
    pending: PendingCall<Input, Output>[],
  ): Promise<void> {
    while (pending.length > 0) {
      const batch: PendingCall<Input, Output>[] = []
      try {
        const collect = () => {
          batch.push(...pending.splice(0, this.#maxBatchSize - batch.length))
          return batch
        }
        await this.#runBatch(ctx, workspaceId, collect)
      } catch (error) {
        await this.#runEach(ctx, workspaceId, { batch, pending, error })
      }
    }
    this.#pending.delete(workspaceId)
  }

  async #runBatch(
    ctx: Context,
    workspaceId: string,
    collect: () => readonly PendingCall<Input, Output>[],
  ): Promise<void> {
    let batch: readonly PendingCall<Input, Output>[] = []
    const take = () => {
      batch = collect()
      return batch.map(({ input }) => input)
    }
    const outputs =
      (await this.#runStatement(ctx, workspaceId, take)) ??
      (await transaction(
        ctx,
        // Inside the transaction, so that calls that arrived while it waited for the database join.
        (tx) => this.#work(tx, workspaceId, take()),
        { isAsyncCommit: this.#isAsyncCommit },
      ))
    for (const [at, { resolve, reject }] of batch.entries()) {
      if (at > 0 && at % CALLS_PER_TURN === 0) await setImmediate()
      const output = outputs[at]
      if (output === undefined) reject(new Error('The batch left an input without an output.'))
      else if (output instanceof Error) reject(output)
      else resolve(output)
    }
  }

  async #runStatement(
    ctx: Context,
    workspaceId: string,
    take: () => readonly Input[],
  ): Promise<(Output | Error)[] | undefined> {
    try {
      return this.#inOneStatement && (await this.#inOneStatement(ctx, workspaceId, take()))
    } catch (error) {
      if (isTransient(error)) return undefined
      throw error
    }
  }

  /**
   * Runs the calls of a failed batch one by one, so that one call's error fails that call alone.
   */
  async #runEach(
    ctx: Context,
    workspaceId: string,
    failed: {
      batch: PendingCall<Input, Output>[]
      pending: PendingCall<Input, Output>[]
      error: unknown
    },
  ): Promise<void> {
    const { batch, pending, error } = failed
    if (batch.length <= 1) {
      // An empty batch means that the transaction could not begin; every pending call would fail.
      const all = batch.length === 0 ? pending.splice(0) : batch
      for (const { reject } of all) reject(error)
      return
    }
    for (const call of batch) {
      await this.#runBatch(ctx, workspaceId, () => [call]).catch(call.reject)
    }
  }
}
