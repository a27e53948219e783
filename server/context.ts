import type { FastifyBaseLogger } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Registry } from 'prom-client'
import { keepCounts } from './analytics/counts.ts'
import type { NewCount } from './analytics/schema.ts'
import type { Config } from './config.ts'
import type { Reactions } from './events.ts'
import type { Clock } from './lib/clock.ts'
import type { NewLiveEvent } from './live/feed.ts'
import type { Live } from './live/live.ts'
import type { SearchIndexes } from './knowledge/retrieve.ts'
import type { ChatTool } from './chat/chat-tool.ts'
import type { Models } from './models/registry.ts'
import type { Provider } from './models/provider.ts'
import type { Db, TxDb } from './storage/database.ts'
import type { OpenStreams } from './platform/open-streams.ts'
import type { Secrets } from './platform/secrets.ts'
import type { DeliveryDesk } from './delivery/desk.ts'
import type { InFlightWork } from './runtime/in-flight.ts'
import type { Bus } from './storage/bus.ts'
import { runCompiled, withConnection } from './storage/direct.ts'
import { RELAXED } from './storage/later.ts'

interface Surroundings {
  readonly clock: Clock
  /** Milliseconds since 1970, UTC. */
  now: () => number
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** What `/metrics` shows. */
  readonly metrics: Registry
  readonly secrets: Secrets
  readonly reactions: Reactions
  /** To every process of the installation. */
  readonly bus: Bus
  /** To the workers that send deliveries. */
  readonly desk: DeliveryDesk
  readonly indexes: SearchIndexes
  /** Who is connected and waits for events. */
  readonly live: Live
  readonly streams: OpenStreams
  readonly inFlight: InFlightWork
  /** Which models run prompts and write answers for a workspace. */
  readonly models: Models
  /** What a model that answers a visitor may ask for. */
  readonly tools: readonly ChatTool[]
  /** Writes the answers from passages alone. */
  readonly model: Provider
}

/** What every domain function takes first. */
export interface Context extends Surroundings {
  readonly db: Db
}

/** The same inside a transaction: only the database differs, and what waits for the commit. */
export interface Transaction extends Surroundings {
  readonly db: TxDb
  /** What live streams will send. Kept at the end, because it locks a row that many wait for. */
  readonly happened: NewLiveEvent[]
  /** What analytics count. Kept at the end too. */
  readonly counted: NewCount[]
  /** Called in order once the transaction is committed; best effort. */
  readonly afterCommit: (() => void)[]
}

/** A deadlock or a serialisation failure on Postgres: the whole work may be tried again. */
const TRANSIENT = new Set(['40001', '40P01'])
const MOST_TRIES = 4

/**
 * Runs `work` in one transaction and resolves when it is on the disk; a relaxed one when it is
 * committed, see `RELAXED`. Only the database may be awaited inside. Work that fails on a deadlock
 * is run again from the start.
 */
export async function transaction<Result>(
  ctx: Context,
  work: (tx: Transaction) => Promise<Result>,
  { isRelaxed = false } = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const happened: NewLiveEvent[] = []
    const counted: NewCount[] = []
    const afterCommit: (() => void)[] = []
    try {
      const result = await ctx.db.transaction().execute((db) =>
        withConnection(ctx.db, db, async () => {
          if (isRelaxed) await runCompiled(db, CompiledQuery.raw(RELAXED))
          const done = await work({ ...ctx, db, happened, counted, afterCommit })
          await keepCounts(db, counted, ctx.now())
          await ctx.live.keep(db, happened)
          return done
        }),
      )
      for (const call of afterCommit) call()
      ctx.live.tell(happened)
      return result
    } catch (error) {
      if (attempt >= MOST_TRIES || !isTransient(error)) throw error
    }
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    TRANSIENT.has(error.code)
  )
}
