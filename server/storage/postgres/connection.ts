import { createHash } from 'node:crypto'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type pg from 'pg'
import { hintsOf } from '../query-hints.ts'
import { announced } from '../statement-channel.ts'
import type { ConnectionGates } from './connection-gates.ts'
import type { InsertCoalescer } from './insert-coalescer.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import type { Statement } from './pipeline.ts'
import type { PipelinedClient } from './pipelined-client.ts'

const MAX_NAMES = 5_000

/** Names each query text, so that every connection parses and plans it once. */
export class StatementNames {
  readonly #isPrepared: boolean
  readonly #names = new Map<string, string>()

  /** Without preparation every name is empty, which is the protocol's unnamed statement. */
  constructor(isPrepared = true) {
    this.#isPrepared = isPrepared
  }

  get(text: string): string {
    if (!this.#isPrepared) return ''
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = createHash('sha1').update(text).digest('base64url')
    if (this.#names.size < MAX_NAMES) this.#names.set(text, name)
    return name
  }
}

/** The result of a statement that has not been sent yet. */
const EMPTY_RESULT = { rows: [] }

/** The commands whose number of rows is a number of changes. */
const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
/** In any statement that changes or locks rows, for which it may have to wait. */
const WRITING = /\b(?:insert|update|delete|merge|lock)\b/i

/** State that the connections of a database share. */
export interface PostgresConnectionDeps {
  connect(): Promise<PipelinedClient>
  /** Before the pool. */
  gates: ConnectionGates
  coalescer: InsertCoalescer
  names: StatementNames
  mutex: KeyedMutex
}

interface Unsent extends Statement {
  isCoalesced: boolean
}

/**
 * A connection that waits for as few results as it can, and takes a client of the pool when it first
 * sends a statement. Within a transaction `begin` and pipelined statements are buffered and sent with
 * the next statement whose result is needed. After an error the server refuses all later statements
 * of the transaction, so that the error of a buffered statement always rejects the transaction.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #deps: PostgresConnectionDeps
  /** The keys of the mutex that the open transaction holds or waits for, with their releases. */
  readonly #turns = new Map<string, Promise<() => void>>()
  readonly #held = new Set<string>()
  #client: Promise<PipelinedClient> | undefined
  /** Leaves the gates that the client was taken through. */
  #leaveGates: () => void = () => undefined
  #isTransaction = false
  #isOpen = false
  #isReleased = false
  /** Whether `begin` is in the buffer. */
  #isBeginUnsent = false
  #unsent: Unsent[] = []

  constructor(deps: PostgresConnectionDeps) {
    this.#deps = deps
  }

  /**
   * Runs a statement. Rejects with its error, or with that of an earlier one in its transaction.
   */
  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return announced('postgresql', query, () => this.#execute<Row>(query))
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters: values } = query
    const {
      isPipelined,
      isCoalesced = false,
      isUnprepared,
      serializedBy,
      isNoStatement,
    } = hintsOf(query)
    const isLater = this.#isOpen && (isPipelined === true || isCoalesced)
    const isNamed = isLater || (values.length > 0 && isUnprepared !== true)
    const name = isNamed ? this.#deps.names.get(text) : ''
    if (isLater) {
      this.#unsent.push({ name, text, values, isCoalesced })
      return EMPTY_RESULT
    }
    try {
      // Without a wait for a key that is held: statements go out in the order of their calls.
      if (this.#isOpen && serializedBy !== undefined && !this.#held.has(serializedBy)) {
        await this.#acquire(serializedBy)
      }
      if (isNoStatement) return EMPTY_RESULT
      return toQueryResult<Row>(await this.#send({ name, text, values }))
    } catch (error) {
      throw withCallerStack(error, new Error('Called from here.'))
    }
  }

  /** Begins a transaction: sent with its first statement. */
  begin(): void {
    this.#isTransaction = true
    this.#isOpen = true
    this.#isBeginUnsent = true
    this.#unsent.push({ ...this.#control('begin'), isCoalesced: false })
  }

  /** Rejects with the error of a buffered statement, or if an earlier one has failed. */
  async commit(): Promise<void> {
    this.#isOpen = false
    try {
      if (this.#isBeginUnsent && this.#unsent.length < 2) return
      if (this.#isBeginUnsent && this.#unsent.length === 2) {
        await this.#commitSingle()
        return
      }
      const { command } = await this.#send(this.#control('commit'))
      // The result of committing a failed transaction, even if its error was caught.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.')
    } catch (error) {
      throw withCallerStack(error, new Error('Called from here.'))
    } finally {
      this.#leave()
    }
  }

  async rollback(): Promise<void> {
    const isSent = this.#client && !this.#isBeginUnsent
    this.#isOpen = false
    this.#unsent = []
    try {
      if (isSent) await this.#send(this.#control('rollback'))
    } finally {
      this.#leave()
    }
  }

  /** Returns the client to the pool. */
  release(): void {
    this.#isReleased = true
    this.#client?.then(
      (client) => {
        client.release()
        this.#leaveGates()
      },
      () => undefined,
    )
  }

  // oxlint-disable-next-line eslint/require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are read in pages here, never streamed.')
  }

  /** Holds the key until the transaction ends. */
  async #acquire(key: string): Promise<void> {
    // The client comes first: the holder of the key must not wait for the pool behind its waiters.
    const turn = this.#turns.get(key) ?? this.#connect().then(() => this.#deps.mutex.acquire(key))
    this.#turns.set(key, turn)
    await turn
    this.#held.add(key)
  }

  /** A transaction of one statement is that statement. */
  async #commitSingle(): Promise<void> {
    const [, only] = this.#unsent.splice(0)
    if (only?.isCoalesced) await this.#deps.coalescer.run(only)
    else if (only) await this.#send(only)
  }

  #leave(): void {
    this.#isBeginUnsent = false
    this.#unsent = []
    for (const turn of this.#turns.values()) {
      turn.then(
        (release) => release(),
        () => undefined,
      )
    }
    this.#turns.clear()
    this.#held.clear()
  }

  #control(text: 'begin' | 'commit' | 'rollback'): Statement {
    return { name: this.#deps.names.get(text), text, values: [] }
  }

  /** Sends the buffer, and then this statement. */
  async #send(statement: Statement): Promise<pg.QueryResult> {
    if (this.#isReleased) throw new Error('The transaction is over.')
    const before = this.#unsent
    this.#unsent = []
    this.#isBeginUnsent = false
    const client = await this.#connect(statement.text)
    return client.send(before, statement)
  }

  /** The same client until the release: a transaction belongs to one session of the server. */
  #connect(text = ''): Promise<PipelinedClient> {
    this.#client ??= this.#take(this.#isTransaction || WRITING.test(text))
    return this.#client
  }

  async #take(mayWait: boolean): Promise<PipelinedClient> {
    const leave = await this.#deps.gates.enter(mayWait)
    try {
      const client = await this.#deps.connect()
      this.#leaveGates = leave
      return client
    } catch (error) {
      leave()
      throw error
    }
  }
}

function toQueryResult<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  return WRITES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}

/** The driver's errors are made while it reads from the socket: adds the stack of the caller. */
function withCallerStack(error: unknown, caller: Error): unknown {
  if (!(error instanceof Error) || error.stack === undefined || caller.stack === undefined) {
    return error
  }
  const [, ...frames] = caller.stack.split('\n')
  error.stack = [error.stack, ...frames].join('\n')
  return error
}
