import { createHash } from 'node:crypto'
import type pg from 'pg'
import { settleWithin } from '../lib/timeout.ts'
import { ALONE, ANEW, LATER, SHARED } from './later.ts'
import type { Prepared } from './postgres-batch.ts'
import type { SharedCommits } from './postgres-shared.ts'
import type { Wire } from './postgres-wire.ts'

const MOST_NAMES = 5_000
const LANE_MS = 500

/** Names each query text, so that every connection parses and plans it once. */
export class StatementNames {
  readonly #names = new Map<string, string>()

  get(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = createHash('sha1').update(text).digest('base64url')
    if (this.#names.size < MOST_NAMES) this.#names.set(text, name)
    return name
  }
}

/** Lets transactions of this process that want the same row come one after the other. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>()

  /**
   * Resolves when it is one's turn, with how to leave; or when it takes too long, because whoever is
   * ahead may be waiting in the database for something that this transaction has.
   */
  async enter(row: string): Promise<() => void> {
    const ahead = this.#last.get(row)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(row, promise)
    if (ahead) await settleWithin(LANE_MS, [ahead])
    return () => {
      if (this.#last.get(row) === promise) this.#last.delete(row)
      resolve()
    }
  }
}

/** The statements without values that are prepared. */
const MARKS = new Set(['begin', 'commit', 'rollback'])

/** What a statement answers of which nobody needs to know more. */
const UNSEEN = { command: '', rowCount: 0, rows: [] }
const COMMITTED = { ...UNSEEN, command: 'COMMIT' }

/** What the connections of a database have in common. */
export interface Common {
  connect(): Promise<Wire>
  shared: SharedCommits
  names: StatementNames
  lanes: Lanes
}

/**
 * A connection that waits for as few answers as it can, and takes a client of the pool when it first
 * has something to send. Within a transaction `begin` and statements made by `later` are kept until
 * one comes whose answer is wanted, and go out with it; after one that failed the server refuses all
 * others until the end, so that the transaction always tells.
 */
export class Connection {
  readonly #common: Common
  /** How to leave the lanes that the open transaction has entered. */
  readonly #entered = new Map<string, () => void>()
  #wire: Promise<Wire> | undefined
  #isOpen = false
  #isReleased = false
  /** What the open transaction has yet to send. */
  #kept: Prepared[] = []

  constructor(common: Common) {
    this.#common = common
  }

  /** Runs a statement. Rejects with its error, or with that of an earlier one in its transaction. */
  async query(text: string, values: readonly unknown[]): Promise<object> {
    const isLater = this.#isOpen && text.startsWith(LATER)
    const isNamed = (values.length > 0 && !text.startsWith(ANEW)) || isLater || MARKS.has(text)
    const statement = { name: isNamed ? this.#common.names.get(text) : '', text, values }
    if (text === 'commit' || text === 'rollback') return this.#end(statement)
    if (text === 'begin') this.#isOpen = true
    if (text === 'begin' || isLater) {
      this.#kept.push(statement)
      return UNSEEN
    }
    if (this.#isOpen && text.startsWith(ALONE)) await this.#enter(String(values[0]))
    return this.#send(statement)
  }

  /** Waits until nobody else of this process is between such a statement and its commit. */
  async #enter(row: string): Promise<void> {
    if (this.#entered.has(row)) return
    // First, so that whoever has the turn does not wait for a client while the others wait for it.
    await this.#connect()
    const leave = await this.#common.lanes.enter(row)
    if (this.#isOpen) this.#entered.set(row, leave)
    else leave()
  }

  release(): void {
    this.#isReleased = true
    this.#wire?.then(
      (wire) => wire.release(),
      () => undefined,
    )
  }

  async #end(statement: Prepared): Promise<object> {
    const isRollback = statement.text === 'rollback'
    const isUnsent = this.#kept[0]?.text === 'begin'
    this.#isOpen = false
    try {
      if (isRollback) this.#kept = []
      if (isRollback && (isUnsent || !this.#wire)) return UNSEEN
      if (isUnsent && this.#kept.length < 2) return COMMITTED
      if (isUnsent && this.#kept.length === 2) return await this.#commitOne()
      const result = await this.#send(statement)
      // What a failed transaction answers to a commit, whoever caught its error.
      if (!isRollback && result.command !== 'COMMIT') {
        throw new Error('The transaction was rolled back.')
      }
      return result
    } finally {
      this.#kept = []
      for (const leave of this.#entered.values()) leave()
      this.#entered.clear()
    }
  }

  /** A transaction of one statement is that statement. */
  async #commitOne(): Promise<object> {
    const [, only] = this.#kept.splice(0)
    if (only?.text.startsWith(SHARED)) await this.#common.shared.run(only)
    else if (only) await this.#send(only)
    return COMMITTED
  }

  /** Sends what was kept, and then this. */
  async #send(statement: Prepared): Promise<pg.QueryResult> {
    if (this.#isReleased) throw new Error('The transaction is over.')
    const before = this.#kept
    this.#kept = []
    const wire = await this.#connect()
    return wire.send(before, statement)
  }

  /** One client to the end: without the one that has begun, a transaction cannot go on. */
  #connect(): Promise<Wire> {
    this.#wire ??= this.#common.connect()
    return this.#wire
  }
}
