import { setImmediate } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'

/** Bounds of a batch: how many transactions one commit serves, and how long it collects them. */
const MAX_BATCH_SIZE = 256
const MAX_BATCH_MS = 4
/** A transaction awaits the database alone; one that is open for longer awaits something else. */
const TRANSACTION_TIMEOUT_MS = 10_000
export const TRANSACTION_TIMED_OUT = 'The transaction was open too long and was rolled back.'

/**
 * SQLite rolls back the whole transaction of a batch when the disk is full or fails. The code makes
 * it a fault of the storage, like the error of the statement that met it.
 */
class BatchRolledBackError extends Error {
  readonly code = 'SQLITE_IOERR'

  constructor() {
    super('The disk failed, and the database rolled back.')
  }
}

interface Outcome {
  isCommit: boolean
  isAsync: boolean
  settle: (error?: Error) => void
}

/** A caller that waits for a commit: until it is on the disk, or if async, until it is made. */
type Waiter = Pick<Outcome, 'isAsync' | 'settle'>

/** An entry of the writer's queue: a whole transaction, or a single statement. */
type WriteTask = { queuedAt: number } & (
  | {
      kind: 'transaction'
      start: (finish: (outcome: Outcome) => void, isOver: () => boolean) => void
      fail: (error: Error) => void
    }
  | { kind: 'statement'; run: () => void; settle: (error?: Error) => void }
)

type Control = 'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'rollbackTo'

/** Callbacks around the batches. */
interface Hooks {
  /** Brings committed transactions to the disk. */
  flush(): Promise<void>
  /** Called with the milliseconds that a task waited in the queue. */
  waited?(ms: number): void
  /** Called before a batch begins. */
  beforeBegin?(): void
  /** Called before a batch commits, or rolls back instead. */
  beforeEnd?(): void
}

/** A transaction's turn with the writer. */
export interface WriterTurn {
  /** True after the timeout or a failure of the disk; a statement would land in another transaction. */
  isOver(): boolean
  /** Resolves when the batch's commit is on the disk; an async one, when the commit is made. */
  commit(isAsync: boolean): Promise<void>
  rollback(): Promise<void>
}

/**
 * The single writer of the embedded database. Transactions that are ready together run one after
 * the other and share one commit. Each but the first runs in a savepoint: a savepoint copies the pages
 * that change, which costs more than most changes, and a rollback of the first loses no other one.
 * The commit is in the hands of the operating system and survives this process; the transactions are
 * acknowledged once `hooks.flush` has brought it to the disk. Transactions that commit during a flush
 * share the next one.
 */
export class GroupCommit {
  readonly #writer: Sqlite.Database
  readonly #hooks: Hooks
  readonly #queue: WriteTask[] = []
  readonly #unflushed: ((error?: Error) => void)[] = []
  readonly #controls: Record<Control, Sqlite.Statement>
  #isOpen = false
  #isRunning = false
  #isFlushing = false
  /** A failed flush leaves commits in doubt: all later transactions are refused. */
  #flushError: Error | undefined
  #idle: (() => void)[] = []

  constructor(writer: Sqlite.Database, hooks: Hooks) {
    this.#writer = writer
    this.#hooks = hooks
    this.#controls = {
      begin: writer.prepare('begin immediate'),
      commit: writer.prepare('commit'),
      rollback: writer.prepare('rollback'),
      savepoint: writer.prepare('savepoint turn'),
      release: writer.prepare('release turn'),
      rollbackTo: writer.prepare('rollback to turn'),
    }
  }

  /** Whether a transaction is open, whose changes other readers must not see. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Waits for the writer; the transaction runs from when this resolves until it is ended. */
  begin(): Promise<WriterTurn> {
    return new Promise((resolve, reject) => {
      this.#add({
        queuedAt: performance.now(),
        kind: 'transaction',
        fail: reject,
        start: (finish, isOver) => {
          const end = (isCommit: boolean, isAsync: boolean) =>
            new Promise<void>((done, failed) => {
              finish({ isCommit, isAsync, settle: (error) => (error ? failed(error) : done()) })
            })
          const commit = (isAsync: boolean) => end(true, isAsync)
          resolve({ isOver, commit, rollback: () => end(false, true) })
        },
      })
    })
  }

  /** Runs one writing statement, which commits with its batch. Resolves when it is on the disk. */
  write<Result>(statement: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      this.#add({
        queuedAt: performance.now(),
        kind: 'statement',
        run: () => {
          result = statement()
        },
        settle: (error) => (error ? reject(error) : resolve(result)),
      })
    })
  }

  /** Resolves when the queue is empty and no commit or flush is in flight. */
  async drain(): Promise<void> {
    if (!this.#isRunning && !this.#isFlushing && this.#queue.length === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #add(task: WriteTask): void {
    this.#queue.push(task)
    if (this.#isRunning) return
    this.#isRunning = true
    void setImmediate().then(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#runBatch()
      // Callers that waited for this commit get a turn of the event loop to queue their next
      // transaction; otherwise the first of them would have a commit of its own.
      await setImmediate()
    }
    this.#isRunning = false
    this.#resolveIdle()
  }

  #resolveIdle(): void {
    if (this.#isRunning || this.#isFlushing) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #flushAll(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    while (this.#unflushed.length > 0) {
      const settled = this.#unflushed.splice(0)
      try {
        await this.#hooks.flush()
      } catch (error) {
        this.#flushError = asError(error)
      }
      for (const settle of settled) settle(this.#flushError)
    }
    this.#isFlushing = false
    this.#resolveIdle()
  }

  async #runBatch(): Promise<void> {
    const waiters: Waiter[] = []
    try {
      if (this.#flushError) throw this.#flushError
      this.#hooks.beforeBegin?.()
      this.#controls.begin.run()
      this.#isOpen = true
    } catch (error) {
      for (const task of this.#queue.splice(0)) {
        if (task.kind === 'statement') task.settle(asError(error))
        else task.fail(asError(error))
      }
      return
    }
    const started = performance.now()
    for (;;) {
      const now = performance.now()
      if (waiters.length >= MAX_BATCH_SIZE || now - started >= MAX_BATCH_MS) break
      const task = this.#queue.shift()
      if (!task) break
      this.#hooks.waited?.(now - task.queuedAt)
      if (task.kind === 'statement') runStatement(task, waiters)
      else await this.#runTransaction(task, waiters)
      // Without a transaction each further statement would commit alone.
      if (!this.#writer.inTransaction) break
    }
    let failure: Error | undefined
    try {
      this.#hooks.beforeEnd?.()
      if (!this.#writer.inTransaction) throw new BatchRolledBackError()
      this.#controls.commit.run()
    } catch (error) {
      failure = asError(error)
      if (this.#writer.inTransaction) this.#controls.rollback.run()
    }
    this.#isOpen = false
    for (const { isAsync, settle } of waiters) {
      if (isAsync || failure) settle(failure)
      else this.#unflushed.push(settle)
    }
    void this.#flushAll()
  }

  async #runTransaction(
    task: Extract<WriteTask, { kind: 'transaction' }>,
    waiters: Waiter[],
  ): Promise<void> {
    const isFirst = waiters.length === 0
    if (!isFirst) this.#controls.savepoint.run()
    const outcome = await new Promise<Outcome>((finish) => {
      let isOver = false
      const timeout = setTimeout(() => {
        isOver = true
        finish({ isCommit: false, isAsync: true, settle: () => undefined })
      }, TRANSACTION_TIMEOUT_MS)
      task.start(
        (ended) => {
          clearTimeout(timeout)
          if (isOver) ended.settle(ended.isCommit ? new Error(TRANSACTION_TIMED_OUT) : undefined)
          else finish(ended)
          isOver = true
        },
        () => isOver || !this.#writer.inTransaction,
      )
    })
    if (!this.#writer.inTransaction) {
      outcome.settle(outcome.isCommit ? new BatchRolledBackError() : undefined)
      return
    }
    if (outcome.isCommit) {
      if (!isFirst) this.#controls.release.run()
      waiters.push(outcome)
      return
    }
    if (isFirst) {
      this.#controls.rollback.run()
      this.#controls.begin.run()
    } else {
      this.#controls.rollbackTo.run()
      this.#controls.release.run()
    }
    outcome.settle()
  }
}

function runStatement(task: Extract<WriteTask, { kind: 'statement' }>, waiters: Waiter[]): void {
  try {
    task.run()
    waiters.push({ isAsync: false, settle: task.settle })
  } catch (error) {
    task.settle(asError(error))
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
