import { setImmediate } from 'node:timers/promises'
import { performance } from 'node:perf_hooks'
import { type Context, type Transaction, isTransient, transaction } from '../context.ts'
import { runForWorkspace } from '../storage/workspace-scope.ts'

const DEFAULT_MAX_BATCH_SIZE = 256
/**
 * How long calls go on in one turn of the event loop: what follows them, such as the search for an answer,
 * would otherwise keep health checks waiting for a whole batch. Under load a turn is long by itself, and
 * each further one delays the calls that are left.
 */
const MAX_DELIVERY_MS = 40

/** A call that waits for its part of a transaction. */
interface PendingCall<Input, Output> {
  input: Input
  /** When it is presumably too late for its caller; compared with `performance.now()`. */
  expiresAt: number
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

interface DecidedCall<Input, Output> {
  call: PendingCall<Input, Output>
  output: Output | Error | undefined
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
  /** The refusal of calls that have expired; counts them. */
  refuse?: (ctx: Context) => Error
}

/**
 * Transactions of one kind that change the same rows of a workspace, such as its balance. One
 * transaction per workspace runs at a time; calls that arrive during it share the next one, so that
 * many concurrent calls cost a few statements in all instead of a few each. Where more calls wait than
 * one transaction serves, those that have expired are refused before they cost anything: otherwise
 * each of the others would be late, too.
 */
export class TransactionBatcher<Input, Output> {
  readonly #work: BatchWork<Input, Output>
  readonly #isAsyncCommit: boolean
  readonly #maxBatchSize: number
  readonly #inOneStatement: StatementWork<Input, Output> | undefined
  readonly #refuse: (ctx: Context) => Error
  /**
   * Pending calls by workspace; a list exists for as long as a transaction of the workspace runs.
   */
  readonly #pending = new Map<string, PendingCall<Input, Output>[]>()
  /** Calls whose transaction is over, and which have not been told. */
  readonly #decided: DecidedCall<Input, Output>[] = []
  #isDelivering = false

  constructor(
    work: BatchWork<Input, Output>,
    {
      isAsyncCommit = false,
      maxBatchSize = DEFAULT_MAX_BATCH_SIZE,
      inOneStatement,
      refuse = () => new Error('The call has expired.'),
    }: BatcherOptions<Input, Output> = {},
  ) {
    this.#work = work
    this.#isAsyncCommit = isAsyncCommit
    this.#maxBatchSize = maxBatchSize
    this.#inOneStatement = inOneStatement
    this.#refuse = refuse
  }

  /**
   * Resolves or rejects once the transaction that has the output is committed. A call expires when it
   * has waited for `maxWaitMs`; 0 is never.
   */
  run(
    ctx: Context,
    workspaceId: string,
    input: Input,
    { maxWaitMs = 0 }: { maxWaitMs?: number } = {},
  ): Promise<Output> {
    return new Promise((resolve, reject) => {
      const expiresAt = maxWaitMs > 0 ? performance.now() + maxWaitMs : Infinity
      const call = { input, expiresAt, resolve, reject }
      const pending = this.#pending.get(workspaceId)
      if (pending) {
        this.#refuseExpired(ctx, pending)
        pending.push(call)
        return
      }
      const first = [call]
      this.#pending.set(workspaceId, first)
      void runForWorkspace(workspaceId, () => this.#runAll(ctx, workspaceId, first))
    })
  }

  async #runAll(
    ctx: Context,
    workspaceId: string,
    pending: PendingCall<Input, Output>[],
  ): Promise<void> {
    for (;;) {
      this.#refuseExpired(ctx, pending)
      if (pending.length === 0) break
      const batch: PendingCall<Input, Output>[] = []
      try {
        const collect = () => {
          this.#refuseExpired(ctx, pending)
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

  #refuseExpired(ctx: Context, pending: PendingCall<Input, Output>[]): void {
    if (pending.length <= this.#maxBatchSize) return
    const now = performance.now()
    const kept = pending.findIndex(({ expiresAt }) => expiresAt > now)
    const expired = pending.splice(0, kept === -1 ? pending.length : kept)
    for (const { reject } of expired) reject(this.#refuse(ctx))
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
        async (tx) => {
          const inputs = take()
          return inputs.length === 0 ? [] : await this.#work(tx, workspaceId, inputs)
        },
        { isAsyncCommit: this.#isAsyncCommit },
      ))
    for (const [at, call] of batch.entries()) this.#decided.push({ call, output: outputs[at] })
    void this.#deliver()
  }

  /** Lets decided calls go on, in order. The next transaction does not wait for what follows them. */
  async #deliver(): Promise<void> {
    if (this.#isDelivering) return
    this.#isDelivering = true
    let startedAt = performance.now()
    while (this.#decided.length > 0) {
      for (const { call, output } of this.#decided.splice(0)) {
        if (performance.now() - startedAt > MAX_DELIVERY_MS) {
          await setImmediate()
          startedAt = performance.now()
        }
        if (output instanceof Error) call.reject(output)
        else if (output !== undefined) call.resolve(output)
        else call.reject(new Error('The batch left an input without an output.'))
        // Resolves once what follows the call has run, up to where it waits.
        await new Promise<void>((resolve) => process.nextTick(resolve))
      }
    }
    this.#isDelivering = false
  }

  async #runStatement(
    ctx: Context,
    workspaceId: string,
    take: () => readonly Input[],
  ): Promise<(Output | Error)[] | undefined> {
    try {
      const inputs = this.#inOneStatement ? take() : []
      if (inputs.length === 0) return undefined
      return await this.#inOneStatement?.(ctx, workspaceId, inputs)
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
