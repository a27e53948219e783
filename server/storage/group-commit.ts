import { setImmediate } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'

/** One fsync serves at most so many transactions, and no batch collects longer than this. */
const MOST_PER_COMMIT = 256
const LONGEST_BATCH_MS = 4
/** A transaction only talks to the database; one that is open so long waits for something else. */
const LONGEST_TURN_MS = 10_000
export const TAKEN_AWAY = 'The transaction was open too long and was rolled back.'

interface Outcome {
  keep: boolean
  isRelaxed: boolean
  settle: (error?: Error) => void
}

/** Whoever waits for a commit: until it is on the disk, or until it is made. */
type Waiting = Pick<Outcome, 'isRelaxed' | 'settle'>

/** A place in the queue for the writer: a whole transaction, or one statement by itself. */
type Turn = { queuedAt: number } & (
  | {
      kind: 'transaction'
      start: (finish: (outcome: Outcome) => void, isOver: () => boolean) => void
      fail: (error: Error) => void
    }
  | { kind: 'statement'; run: () => void; settle: (error?: Error) => void }
)

type Mark = 'begin' | 'commit' | 'rollback' | 'save' | 'release' | 'undo'

/** What happens around the batches. */
interface Around {
  /** Brings what is committed to the disk. */
  flush(): Promise<void>
  /** A turn has come after so many milliseconds in the queue. */
  waited?(ms: number): void
  beforeBegin?(): void
  /** Before the commit or what takes its place. */
  beforeEnd?(): void
}

/** The transaction that has the writer now: how it ends. */
export interface OpenTurn {
  /** True once it was taken away; statements would then land in somebody else's transaction. */
  isOver(): boolean
  /** Resolves when the commit that holds the transaction is on the disk; relaxed, when it is made. */
  commit(isRelaxed: boolean): Promise<void>
  rollback(): Promise<void>
}

/**
 * The single writer of the embedded database. Transactions that are ready together run one after
 * the other and share one commit, each but the first in its own savepoint: to keep what a page was
 * before costs more than most of what is done to it, and before the first there is nothing to keep. That is in the hands of the operating
 * system, and outlives this process; once `around.flush` has brought it to the disk, it is acknowledged.
 * Meanwhile others run and commit, and share the next flush.
 */
export class GroupCommit {
  readonly #writer: Sqlite.Database
  readonly #around: Around
  readonly #queue: Turn[] = []
  readonly #unflushed: ((error?: Error) => void)[] = []
  readonly #marks: Record<Mark, Sqlite.Statement>
  #isOpen = false
  #running = false
  #flushing = false
  /** What was committed and could not be flushed is in doubt, and nothing may build on it. */
  #broken: Error | undefined
  #idle: (() => void)[] = []

  constructor(writer: Sqlite.Database, around: Around) {
    this.#writer = writer
    this.#around = around
    this.#marks = {
      begin: writer.prepare('begin immediate'),
      commit: writer.prepare('commit'),
      rollback: writer.prepare('rollback'),
      save: writer.prepare('savepoint turn'),
      release: writer.prepare('release turn'),
      undo: writer.prepare('rollback to turn'),
    }
  }

  /** Whether a transaction is open, whose changes nobody else may see. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Waits for the writer; the transaction runs from when this resolves until it is ended. */
  begin(): Promise<OpenTurn> {
    return new Promise((resolve, reject) => {
      this.#add({
        queuedAt: performance.now(),
        kind: 'transaction',
        fail: reject,
        start: (finish, isOver) => {
          const end = (keep: boolean, isRelaxed: boolean) =>
            new Promise<void>((done, failed) => {
              finish({ keep, isRelaxed, settle: (error) => (error ? failed(error) : done()) })
            })
          const commit = (isRelaxed: boolean) => end(true, isRelaxed)
          resolve({ isOver, commit, rollback: () => end(false, true) })
        },
      })
    })
  }

  /** Runs one writing statement, which commits with the others of its batch. */
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

  /** Resolves when nothing is queued or under way. */
  async drain(): Promise<void> {
    if (!this.#running && !this.#flushing && this.#queue.length === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #add(turn: Turn): void {
    this.#queue.push(turn)
    if (this.#running) return
    this.#running = true
    void setImmediate().then(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#runBatch()
      // Whoever was waiting for this commit has a turn of the event loop to come with the next
      // transaction; otherwise the first of them would get a commit of its own.
      await setImmediate()
    }
    this.#running = false
    this.#rest()
  }

  #rest(): void {
    if (this.#running || this.#flushing) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #flushAll(): Promise<void> {
    if (this.#flushing) return
    this.#flushing = true
    while (this.#unflushed.length > 0) {
      const waiting = this.#unflushed.splice(0)
      try {
        await this.#around.flush()
      } catch (error) {
        this.#broken = asError(error)
      }
      for (const settle of waiting) settle(this.#broken)
    }
    this.#flushing = false
    this.#rest()
  }

  async #runBatch(): Promise<void> {
    const waiting: Waiting[] = []
    try {
      if (this.#broken) throw this.#broken
      this.#around.beforeBegin?.()
      this.#marks.begin.run()
      this.#isOpen = true
    } catch (error) {
      for (const turn of this.#queue.splice(0)) {
        if (turn.kind === 'statement') turn.settle(asError(error))
        else turn.fail(asError(error))
      }
      return
    }
    const started = performance.now()
    for (;;) {
      const now = performance.now()
      if (waiting.length >= MOST_PER_COMMIT || now - started >= LONGEST_BATCH_MS) break
      const turn = this.#queue.shift()
      if (!turn) break
      this.#around.waited?.(now - turn.queuedAt)
      if (turn.kind === 'statement') runStatement(turn, waiting)
      else await this.#runTransaction(turn, waiting)
    }
    let failure: Error | undefined
    try {
      this.#around.beforeEnd?.()
      this.#marks.commit.run()
    } catch (error) {
      failure = asError(error)
      if (this.#writer.inTransaction) this.#marks.rollback.run()
    }
    this.#isOpen = false
    for (const { isRelaxed, settle } of waiting) {
      if (isRelaxed || failure) settle(failure)
      else this.#unflushed.push(settle)
    }
    void this.#flushAll()
  }

  async #runTransaction(
    turn: Extract<Turn, { kind: 'transaction' }>,
    waiting: Waiting[],
  ): Promise<void> {
    const isFirst = waiting.length === 0
    if (!isFirst) this.#marks.save.run()
    const outcome = await new Promise<Outcome>((finish) => {
      let over = false
      const stuck = setTimeout(() => {
        over = true
        finish({ keep: false, isRelaxed: true, settle: () => undefined })
      }, LONGEST_TURN_MS)
      turn.start(
        (ended) => {
          clearTimeout(stuck)
          if (over) ended.settle(ended.keep ? new Error(TAKEN_AWAY) : undefined)
          else finish(ended)
          over = true
        },
        () => over,
      )
    })
    if (outcome.keep) {
      if (!isFirst) this.#marks.release.run()
      waiting.push(outcome)
      return
    }
    if (isFirst) {
      this.#marks.rollback.run()
      this.#marks.begin.run()
    } else {
      this.#marks.undo.run()
      this.#marks.release.run()
    }
    outcome.settle()
  }
}

function runStatement(turn: Extract<Turn, { kind: 'statement' }>, waiting: Waiting[]): void {
  try {
    turn.run()
    waiting.push({ isRelaxed: false, settle: turn.settle })
  } catch (error) {
    turn.settle(asError(error))
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
