import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as setTimeoutAsync } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { ActionCalls } from './actions/calls.ts'
import { openApp } from './app.ts'
import { TurnBatches } from './chat/turn/turn-batches.ts'
import { liveSource } from './chat/session/session-events.ts'
import { listRecentTenants } from './chat/session/store.events.ts'
import { exposeCollectors } from './collectors.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { releaseEveryHold } from './credits/lapsed-holds.ts'
import { seedDemo } from './demo/seed.ts'
import { PubSubDispatcher } from './delivery/worker/dispatcher.ts'
import { DeliveryMetrics } from './delivery/worker/metrics.ts'
import { createSender } from './delivery/http/open-sender.ts'
import { startDeliveryWorker } from './delivery/worker/worker.ts'
import { startTestRuns } from './evaluation/runs.ts'
import { startChannels } from './integrations/workers.ts'
import type { App } from './http/app-type.ts'
import { RateLimitStore } from './http/rate-limit-store.ts'
import { startJobs } from './schedule.ts'
import { IndexCache } from './knowledge/index-cache.ts'
import { startEmbedder } from './knowledge/vectors/embedder.ts'
import { startKnowledgeWorker } from './knowledge/jobs/worker.ts'
import { prepareAnswers } from './chat/turn/first-answer.ts'
import { startWarmUp } from './knowledge/warm-up.ts'
import type { Clock } from './lib/clock.ts'
import { settleWithin } from './lib/timeout.ts'
import { LiveHub } from './live/live-hub.ts'
import { extractiveAnswerer } from './models/embedded/extractive.ts'
import type { Model } from './models/model.ts'
import { clearRunning } from './platform/idempotency.ts'
import { startMailer } from './mail/mailer.ts'
import { startNotifier } from './notifications/notifier.ts'
import { startPushWorker } from './notifications/push/worker.ts'
import { RevocableStreams } from './platform/auth/stream-revocation.ts'
import { Suspensions } from './platform/auth/suspensions.ts'
import { Passwords } from './platform/auth/passwords.ts'
import { openSecrets } from './platform/secrets/secrets.ts'
import { reactions } from './reactions.ts'
import { ruleEndpoints } from './rules/endpoints.ts'
import { openPubSub } from './pubsub/pubsub.ts'
import { exposeRedis, openRedis } from './pubsub/redis.ts'
import { openSetup } from './setup/first-run.ts'
import { seedOwner } from './setup/owner.ts'
import type { Storage } from './storage/database.ts'
import { openStorage } from './storage/open.ts'
import { readLostFrames } from './storage/sqlite/lost-frames.ts'
import { subscriptionEndpoints } from './subscriptions/endpoints.ts'
import { quotaUsage } from './quota-usage.ts'
import { openDialog, tools, toolSources } from './chat-tools.ts'
import { DatabaseClock } from './runtime/database-clock.ts'
import { FirstRequests, drainConnections } from './runtime/draining.ts'
import { InFlightWork } from './runtime/in-flight.ts'
import { Listener } from './runtime/listener.ts'
import { Outage } from './runtime/outage.ts'
import { Readiness } from './runtime/readiness.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { openEmbeddings, openModels } from './workspaces/open-models.ts'

/**
 * During a shutdown: the times after which model work is aborted, all other connections are closed, and
 * remaining work is abandoned.
 */
const WORK_TIMEOUT_MS = 4_500
const RESPONSE_TIMEOUT_MS = 5_000
const SHUTDOWN_TIMEOUT_MS = 6_500
const ROOT = join(import.meta.dirname, '..')
const Package = z.object({ version: z.string() })

/** The running server. */
export interface RunningServer {
  ctx: Context
  app: App
  /** The base URL; with the actual port when `PORT` is 0. */
  url: string
  /** Of the link for the first run; undefined once somebody has an account. */
  setupToken: string | undefined
  /** Accepts no new work, drains work in flight, and closes the storage. */
  stop(): Promise<void>
}

/**
 * Opens the storage, the services and the HTTP application, and listens. `model` replaces the model
 * of the settings; `passwords` replaces the Argon2id hasher. Throws when the database or the port is
 * not available.
 */
export async function startServer(
  config: Config,
  services: { clock: Clock; log: FastifyBaseLogger; model?: Model; passwords?: Passwords },
): Promise<RunningServer> {
  const { clock, log, passwords = new Passwords() } = services
  const now = () => clock.now()
  const storage = await openStorage(config, now()).finally(() => warnOfLostFrames(config, log))
  if (clock instanceof DatabaseClock) await followDatabase(clock, storage)
  const redis = config.redisUrl ? await openRedis(config.redisUrl, log) : undefined
  const pubsub = openPubSub(redis, log)
  const secrets = openSecrets(config)
  const suspensions = new Suspensions({ db: storage.db, clock })
  const { version } = Package.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))
  const actionCalls = new ActionCalls({ config, log }, version)
  const ctx: Context = {
    db: storage.db,
    clock,
    now,
    config,
    log,
    outage: new Outage({ clock, log }),
    metrics: new Registry(),
    secrets,
    reactions,
    pubsub,
    live: new LiveHub({ clock, pubsub, log, source: liveSource(storage.db) }),
    dispatcher: new PubSubDispatcher(pubsub),
    streams: new RevocableStreams({ db: storage.db, clock, log, suspensions }),
    suspensions,
    counters: new RateLimitStore(
      now,
      redis && {
        redis,
        log,
        installation: installationOf(config),
        isCounting: config.role !== 'worker',
      },
    ),
    inFlight: new InFlightWork(),
    indexes: new IndexCache(),
    turns: new TurnBatches(),
    models: openModels({ db: storage.db, clock, config, secrets, log, own: services.model }),
    embeddings: openEmbeddings({ db: storage.db, clock, config, secrets }),
    tools,
    toolSources,
    openDialog,
    actionCalls,
    quotaUsage,
    extractive: extractiveAnswerer,
  }
  let isStopping = false
  if (storage.dialect === 'sqlite') {
    await releaseEveryHold(ctx)
    await clearRunning(ctx)
  }
  if (config.seed === 'demo') await seedDemo(ctx)
  await seedOwner(ctx, passwords)
  const setupToken = config.role === 'worker' ? undefined : await openSetup(ctx)
  const tracing = await openTracing(ctx, version)
  const plainSender = createSender(ctx, version)
  const sender = tracing?.traceDeliveries(plainSender) ?? plainSender
  const readiness = new Readiness(ctx, storage)
  const app = await openApp(ctx, {
    version,
    passwords,
    sender,
    isStopping: () => isStopping,
    readiness,
    tracing,
    load: {
      outsideCalls: () => ctx.models.pendingCalls + actionCalls.client.pendingCalls,
      waiting: () => storage.meters.pool?.crowdedCount ?? 0,
    },
  })
  const endpoints = { chat: ruleEndpoints, platform: subscriptionEndpoints }
  const isWorker = config.role !== 'api'
  exposeCollectors(ctx, { storage, isWorker })
  exposeRedis(ctx.metrics, redis)
  const worker = isWorker
    ? startDeliveryWorker(ctx, {
        sender,
        endpoints,
        metrics: new DeliveryMetrics(ctx, endpoints),
        isSingleProcess: storage.dialect === 'sqlite',
      })
    : undefined
  const mailer = isWorker ? startMailer(ctx) : undefined
  const notifier = isWorker ? startNotifier(ctx) : undefined
  const pushWorker = isWorker ? startPushWorker(ctx) : undefined
  const knowledgeWorker = isWorker
    ? startKnowledgeWorker(ctx, { isSingleProcess: storage.dialect === 'sqlite', version })
    : undefined
  const embedder = isWorker ? startEmbedder(ctx, storage.dialect === 'sqlite') : undefined
  const testRuns = isWorker ? startTestRuns(ctx, storage.dialect === 'sqlite') : undefined
  const channels = isWorker ? startChannels(ctx, storage.dialect === 'sqlite') : undefined
  const stopJobs = isWorker ? startJobs(ctx) : () => undefined
  const listener = await Listener.open(app, { host: config.host, port: config.port })
  readiness.watch()
  const listTenants = (limit: number) => listRecentTenants(ctx.db, limit)
  const warmUp =
    config.role === 'worker' ? undefined : startWarmUp(ctx, listTenants, prepareAnswers)
  return {
    ctx,
    app,
    url: listener.url,
    setupToken,
    async stop() {
      isStopping = true
      const requests = new FirstRequests(app.server)
      const stoppedAt = performance.now()
      const delay = config.shutdownDelayMs
      stopJobs()
      const warmUpStopped = warmUp?.stop()
      const late = setTimeout(() => ctx.inFlight.stop(), WORK_TIMEOUT_MS)
      // Proxies still send requests until they notice that the process is not ready.
      if (delay > 0) await setTimeoutAsync(delay)
      await drainConnections(app, { listener, requests }, RESPONSE_TIMEOUT_MS - delay)
      // Idempotent runs go on after their caller has disconnected: a retry finds the stored response.
      const remainingMs = SHUTDOWN_TIMEOUT_MS - (performance.now() - stoppedAt)
      await settleWithin(Math.max(0, remainingMs), [ctx.inFlight.ended()])
      clearTimeout(late)
      await Promise.all([
        worker?.stop(),
        mailer?.stop(),
        notifier?.stop(),
        pushWorker?.stop(),
        knowledgeWorker?.stop(),
        embedder?.stop(),
        testRuns?.stop(),
        channels?.stop(),
        warmUpStopped,
      ])
      await ctx.indexes.stop()
      await sender.close()
      await ctx.actionCalls.close()
      await ctx.models.close()
      await ctx.embeddings.close()
      await ctx.counters.close()
      await tracing?.close()
      pubsub.close()
      redis?.disconnect()
      readiness.stop()
      ctx.outage.stop()
      if (clock instanceof DatabaseClock) clock.stop()
      await storage.close()
    },
  }
}

/** Logs a line for each time that the embedded database lost frames; a failed start needs it most. */
function warnOfLostFrames({ dataDir, databaseUrl }: Config, log: FastifyBaseLogger): void {
  if (databaseUrl) return
  const { losses, remedy } = readLostFrames(dataDir)
  for (const loss of losses) log.warn({ event: 'storage.frames_lost' }, `${loss} ${remedy}`)
}

/** The embedded database has the clock of this process. */
async function followDatabase(clock: DatabaseClock, storage: Storage): Promise<void> {
  if (storage.dialect === 'sqlite') return
  await clock.follow(async () => (await storage.state()).now ?? clock.now())
}

/** Names the installation by its secret key, which all of its processes have and no other one. */
function installationOf({ secretKey = '' }: Config): string {
  return createHmac('sha256', secretKey).update('installation').digest('base64url')
}

/** The code for traces is loaded only where they are asked for. */
async function openTracing(ctx: Context, version: string): Promise<Tracing | undefined> {
  const { tracing } = ctx.config
  if (!tracing) return undefined
  const { startTracing } = await import('./telemetry/tracing.ts')
  return startTracing(tracing, { version, log: ctx.log, metrics: ctx.metrics })
}
