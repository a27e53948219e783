import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pino from 'pino'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { ActionCalls } from '../../server/actions/calls.ts'
import { openActionDialog } from '../../server/actions/dialogs.ts'
import { liveSource } from '../../server/chat/session/session-events.ts'
import { readConfig } from '../../server/config.ts'
import { type Context, transaction } from '../../server/context.ts'
import { openSender, type Sender } from '../../server/delivery/http/attempt.ts'
import { PubSubDispatcher } from '../../server/delivery/worker/dispatcher.ts'
import { enqueueDeliveries, type NewDelivery } from '../../server/delivery/queue/enqueue.ts'
import { chatBody } from '../../server/delivery/signature.ts'
import { targetPolicy } from '../../server/net/target.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../../server/delivery/worker/worker.ts'
import { RateLimitStore } from '../../server/http/rate-limit-store.ts'
import { TurnBatches } from '../../server/chat/turn/turn-batches.ts'
import { IndexCache } from '../../server/knowledge/index-cache.ts'
import { systemClock } from '../../server/lib/clock.ts'
import { newId } from '../../server/lib/ids.ts'
import { LiveHub } from '../../server/live/live-hub.ts'
import { extractiveAnswerer } from '../../server/models/embedded/extractive.ts'
import { RevocableStreams } from '../../server/platform/auth/stream-revocation.ts'
import { Suspensions } from '../../server/platform/auth/suspensions.ts'
import { Secrets } from '../../server/platform/secrets/secrets.ts'
import { reactions } from '../../server/reactions.ts'
import { openPubSub } from '../../server/pubsub/pubsub.ts'
import { Outage } from '../../server/runtime/outage.ts'
import { openStorage } from '../../server/storage/open.ts'
import { openEmbeddings, openModels } from '../../server/workspaces/open-models.ts'
import { InFlightWork } from '../../server/runtime/in-flight.ts'
import { serverClock } from './processor-time.ts'

const ENDPOINTS = 50
/** Concurrent publishers, as many as a busy server has requests in flight. */
const MAX_PUBLISHING = 256
const SECRET = 'a secret of the benchmark'
const Port = z.object({ port: z.number() })
const Noted = z.object({
  delays: z.array(z.number()),
  forged: z.number(),
  endless: z.number(),
  cpuSeconds: z.number(),
})

export interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

/** The receiver's figures since the last report. */
export interface Report {
  /** Milliseconds from event to request, sorted. */
  delays: number[]
  endless: number
  /** Seconds of processor time since the last report: of the receiver and of Postgres. */
  cpu: { receiver: number; database: number }
}

/** The delivery engine in this process and a receiver in another. */
export interface Harness {
  ctx: Context
  sender: Sender
  /** Returns the receiver's URL with a path. */
  url(path: string): string
  secret: string
  endpoints: readonly string[]
  /** Sets the path of an endpoint, by default `/hook`. */
  route(endpointId: string, path: string): void
  start(): DeliveryWorker
  newDelivery(endpointId: string): NewDelivery
  /** Queues deliveries a thousand at a time. */
  queueMany(endpoints: readonly string[], count: number): Promise<void>
  /** Publishes at a rate, one per transaction; returns the time of each inside its transaction. */
  publish(endpoints: readonly string[], rate: number, count: number): Promise<number[]>
  /** Returns and resets the receiver's figures. Throws for a wrong signature. */
  report(): Promise<Report>
  close(): Promise<void>
}

export async function openHarness(place: Place): Promise<Harness> {
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'), [SECRET])
  const { port } = Port.parse((await once(receiver, 'message'))[0])
  const { ctx, close } = await openContext(place)
  const policy = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
  const sender = openSender({ policy, version: 'bench' })
  const paths = new Map<string, string>()
  const url = (path: string) => `http://127.0.0.1:${port}${path}`
  const harness: Harness = {
    ctx,
    sender,
    url,
    secret: SECRET,
    endpoints: Array.from({ length: ENDPOINTS }, () => newId('rule')),
    route: (endpointId, path) => paths.set(endpointId, path),
    start: () =>
      startDeliveryWorker(ctx, {
        sender,
        isSingleProcess: place.databaseUrl === undefined,
        endpoints: {
          chat: {
            find: async (_ctx, ids) =>
              ids.map((id) => ({
                id,
                url: url(paths.get(id) ?? '/hook'),
                secrets: { current: SECRET },
                isActive: true,
              })),
          },
        },
      }),
    newDelivery,
    async queueMany(endpoints, count) {
      for (let made = 0; made < count; made += 1_000) {
        const batch = Array.from({ length: Math.min(1_000, count - made) }, (_, index) =>
          newDelivery(endpoints[(made + index) % endpoints.length] ?? ''),
        )
        await transaction(ctx, (tx) => enqueueDeliveries(tx, batch))
      }
    },
    publish: (endpoints, rate, count) => publish(ctx, endpoints, rate, count),
    report: await reporter(receiver, ctx),
    async close() {
      await sender.close()
      await close()
      receiver.disconnect()
    },
  }
  return harness
}

async function openContext(place: Place): Promise<{ ctx: Context; close: () => Promise<void> }> {
  const storage = await openStorage(place, systemClock.now())
  const config = readConfig({ SECRET_KEY: SECRET, LOG_LEVEL: 'error' })
  const log = pino({ level: 'error' })
  const secrets = new Secrets(SECRET)
  const pubsub = openPubSub(undefined, log)
  const suspensions = new Suspensions({ db: storage.db, clock: systemClock })
  const ctx: Context = {
    db: storage.db,
    clock: systemClock,
    now: () => systemClock.now(),
    config,
    log,
    outage: new Outage({ clock: systemClock, log }),
    metrics: new Registry(),
    secrets,
    reactions,
    pubsub,
    live: new LiveHub({ clock: systemClock, pubsub, log, source: liveSource(storage.db) }),
    dispatcher: new PubSubDispatcher(pubsub),
    streams: new RevocableStreams({ db: storage.db, clock: systemClock, log, suspensions }),
    suspensions,
    counters: new RateLimitStore(() => systemClock.now(), undefined),
    inFlight: new InFlightWork(),
    indexes: new IndexCache(),
    turns: new TurnBatches(),
    models: openModels({ db: storage.db, clock: systemClock, config, secrets, log }),
    embeddings: openEmbeddings({ db: storage.db, clock: systemClock, config, secrets }),
    extractive: extractiveAnswerer,
    tools: [],
    toolSources: [],
    openDialog: openActionDialog,
    actionCalls: new ActionCalls({ config, log }, 'test'),
    quotaUsage: { sites: [], stored_bytes: [], passages: [], members: [] },
  }
  return { ctx, close: () => storage.close() }
}

function newDelivery(endpointId: string): NewDelivery {
  const id = newId('wh')
  const event = 'lead.created'
  const now = performance.timeOrigin + performance.now()
  const data = { sent_at: now, name: 'Ayşe Yılmaz', interest: 'x'.repeat(300) }
  const body = chatBody(SECRET, { event, id, at: now, data })
  return { id, workspaceId: 'ws_bench', family: 'chat', endpointId, event, body }
}

async function publish(
  ctx: Context,
  endpoints: readonly string[],
  rate: number,
  count: number,
): Promise<number[]> {
  const inside: number[] = []
  const published = new Set<Promise<void>>()
  const started = performance.now()
  for (let made = 0; made < count;) {
    const due = Math.min(((performance.now() - started) / 1000) * rate, count)
    for (; made < due && published.size < MAX_PUBLISHING; made += 1) {
      const delivery = newDelivery(endpoints[made % endpoints.length] ?? '')
      const publishing = transaction(ctx, async (tx) => {
        const before = performance.now()
        await enqueueDeliveries(tx, [delivery])
        inside.push(performance.now() - before)
      })
      published.add(publishing)
      void publishing.finally(() => published.delete(publishing))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(published)
  return inside.toSorted((a, b) => a - b)
}

async function reporter(receiver: ChildProcess, ctx: Context): Promise<() => Promise<Report>> {
  const databaseClock = await serverClock(ctx.db)
  let before = { receiver: 0, database: await databaseClock() }
  return async () => {
    receiver.send('report')
    const noted = Noted.parse((await once(receiver, 'message'))[0])
    if (noted.forged > 0) throw new Error(`${noted.forged} signatures were wrong.`)
    const used = { receiver: noted.cpuSeconds, database: await databaseClock() }
    const cpu = {
      receiver: used.receiver - before.receiver,
      database: used.database - before.database,
    }
    before = used
    return { delays: noted.delays.toSorted((a, b) => a - b), endless: noted.endless, cpu }
  }
}
