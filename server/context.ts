import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import { withBoundConnection } from './storage/bound-connection.ts'
import type { Db, TxDb } from './storage/database.ts'
import { useAsyncCommit } from './storage/query-hints.ts'
import { runForWorkspace } from './storage/workspace-scope.ts'

/**
 * The services of this process. Only those without a domain are listed here: each slice adds its own
 * by declaration merging, next to the class of the service, so that the context imports no slice.
 */
export interface Services {
  readonly clock: Clock
  /** Milliseconds since 1970, UTC. */
  now: () => number
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** The metrics that `/metrics` exposes. */
  readonly metrics: Registry
}

/** The first parameter of every domain function. */
export interface Context extends Services {
  readonly db: Db
}

/** Work at the end of a transaction, for example writing the rows that a slice collected in it. */
export type CommitHook = (tx: Transaction) => Promise<void>

/** The context inside a transaction. */
export interface Transaction extends Services {
  readonly db: TxDb
  /**
   * Registers work for the end of the transaction; the same function runs once, however often it is
   * registered. Hooks run in the order of registration, and `last` hooks after all others: `last`
   * is for rows that many transactions lock, so that each lock is held for the shortest time.
   */
  readonly beforeCommit: (hook: CommitHook, position?: 'last') => void
  /** Called in order once the transaction is committed; best effort. */
  readonly afterCommit: (() => void)[]
}

/** A deadlock or a serialisation failure on Postgres: the whole transaction may be retried. */
const TRANSIENT = new Set(['40001', '40P01'])
/** Another statement of the transaction failed before. */
const ABORTED = new Set(['25P02'])
const MAX_ATTEMPTS = 4

/**
 * Runs `work` in one transaction and resolves when it is on the disk; with `isAsyncCommit` when it is
 * committed, see `useAsyncCommit`. Only the database may be awaited inside. A transaction that fails on a
 * deadlock is run again from the start, with no hook registered.
 */
export async function transaction<Result>(
  ctx: Context,
  work: (tx: Transaction) => Promise<Result>,
  { isAsyncCommit = false } = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const hooks: CommitHook[] = []
    const lastHooks: CommitHook[] = []
    const afterCommit: (() => void)[] = []
    const beforeCommit = (hook: CommitHook, position?: 'last'): void => {
      const list = position === 'last' ? lastHooks : hooks
      if (!list.includes(hook)) list.push(hook)
    }
    try {
      const result = await ctx.db.transaction().execute((db) =>
        withBoundConnection(ctx.db, db, async () => {
          if (isAsyncCommit) await useAsyncCommit(db)
          const tx: Transaction = { ...ctx, db, beforeCommit, afterCommit }
          const done = await work(tx)
          for (const hook of hooks) await hook(tx)
          for (const hook of lastHooks) await hook(tx)
          return done
        }),
      )
      // They wake workers, which go on for others.
      runForWorkspace(undefined, () => {
        for (const call of afterCommit) call()
      })
      return result
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

/** A read whose result is shared within a transaction, so that it can be sent ahead of its use. */
export interface SharedRead<Values extends readonly string[], Result> {
  (tx: Transaction, ...values: Values): Promise<Result>
  /** Makes the next call read again: after its rows may have changed in the transaction. */
  forget(tx: Transaction, ...values: Values): void
}

/** Returns a shared read. Its values, joined by spaces, tell its results apart. */
export function sharedRead<Values extends readonly string[], Result>(
  read: (tx: Transaction, ...values: Values) => Promise<Result>,
): SharedRead<Values, Result> {
  const results = new WeakMap<Transaction, Map<string, Promise<Result>>>()
  const readOnce = (tx: Transaction, ...values: Values): Promise<Result> => {
    const ofTx = results.get(tx) ?? new Map<string, Promise<Result>>()
    results.set(tx, ofTx)
    const key = values.join(' ')
    const result = ofTx.get(key) ?? read(tx, ...values)
    ofTx.set(key, result)
    return result
  }
  const forget = (tx: Transaction, ...values: Values): void => {
    results.get(tx)?.delete(values.join(' '))
  }
  return Object.assign(readOnce, { forget })
}

/**
 * Waits for statements that were sent together, also after one has failed: work that goes on after the
 * end of its transaction would run outside. Rejects with the first error that aborted the transaction, not
 * with one of a statement behind it.
 */
export async function allDone<Statements extends readonly Promise<unknown>[] | []>(
  statements: Statements,
): Promise<{ -readonly [At in keyof Statements]: Awaited<Statements[At]> }> {
  const results = await Promise.allSettled(statements)
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const cause: unknown = errors.find((error) => !hasCode(error, ABORTED))
  if (cause !== undefined) throw cause
  return Promise.all(statements)
}

/** Whether the whole transaction may be run again: a deadlock or a serialisation failure. */
export function isTransient(error: unknown): boolean {
  return hasCode(error, TRANSIENT)
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.has(error.code)
  )
}
