import pino from 'pino'
import { Registry } from 'prom-client'
import { ActionCalls } from '../../../server/actions/calls.ts'
import { openActionDialog } from '../../../server/actions/dialogs.ts'
import { readConfig } from '../../../server/config.ts'
import { type Context, transaction } from '../../../server/context.ts'
import { openSender, type Sender } from '../../../server/delivery/http/attempt.ts'
import { PubSubDispatcher } from '../../../server/delivery/worker/dispatcher.ts'
import type { Endpoint, EndpointSources } from '../../../server/delivery/endpoints.ts'
import { enqueueDeliveries } from '../../../server/delivery/queue/enqueue.ts'
import { chatBody, type WebhookKind, platformBody } from '../../../server/delivery/signature.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
} from '../../../server/delivery/queue/store.ts'
import { targetPolicy } from '../../../server/net/target.ts'
import { type DeliveryWorker, startDeliveryWorker } from '../../../server/delivery/worker/worker.ts'
import { RateLimitStore } from '../../../server/http/rate-limit-store.ts'
import { TurnBatches } from '../../../server/chat/turn/turn-batches.ts'
import { IndexCache } from '../../../server/knowledge/index-cache.ts'
import type { Clock } from '../../../server/lib/clock.ts'
import { liveSource } from '../../../server/chat/session/session-events.ts'
import { LiveHub } from '../../../server/live/live-hub.ts'
import { newId } from '../../../server/lib/ids.ts'
import { extractiveAnswerer } from '../../../server/models/embedded/extractive.ts'
import { RevocableStreams } from '../../../server/platform/auth/stream-revocation.ts'
import { Suspensions } from '../../../server/platform/auth/suspensions.ts'
import { Secrets } from '../../../server/platform/secrets/secrets.ts'
import { reactions } from '../../../server/reactions.ts'
import { type PubSub, openPubSub } from '../../../server/pubsub/pubsub.ts'
import { openStorage } from '../../../server/storage/open.ts'
import { openEmbeddings, openModels } from '../../../server/workspaces/open-models.ts'
import { InFlightWork } from '../../../server/runtime/in-flight.ts'
import { Outage } from '../../../server/runtime/outage.ts'
import { TestClock } from '../../helpers/clock.ts'
import type { DatabasePlace } from '../../helpers/databases.ts'

export const SECRET = 'a secret of the test receiver'
export const NOON = Date.parse('2026-11-21T12:00:00.000Z')

/** The engine on a real database, with endpoints that the test keeps in its hand. */
export interface Engine {
  ctx: Context
  clock: TestClock
  /** The endpoints that the workers see; change them at will. */
  endpoints: Map<string, Endpoint & { family: WebhookKind }>
  /** Which endpoints gave up, in order. */
  givenUp: { id: string; why: string }[]
  addEndpoint(url: string, family?: WebhookKind): string
  /** Queues an event for an endpoint and returns its id. */
  enqueue(endpointId: string, data?: object): Promise<string>
  startWorker(options?: { isSingleProcess?: boolean; timeoutMs?: number }): DeliveryWorker
  /** Starts a worker that claims once and then stalls: its clock stands, and nothing wakes it. */
  startStalledWorker(sender: Sender): DeliveryWorker
  deliveries(endpointId: string): Promise<DeliveryRow[]>
  attempts(deliveryId: string): Promise<AttemptRow[]>
  close(): Promise<void>
}

export async function openEngine(place: DatabasePlace, timeScale = 1): Promise<Engine> {
  const clock = new TestClock(NOON)
  const ctx = await openContext(place, clock, timeScale)
  const endpoints: Engine['endpoints'] = new Map()
  const givenUp: Engine['givenUp'] = []
  const find = (family: WebhookKind) => async (_ctx: Context, ids: readonly string[]) =>
    [...endpoints.values()].filter((each) => each.family === family && ids.includes(each.id))
  const sources: EndpointSources = {
    chat: { find: find('chat') },
    platform: {
      find: find('platform'),
      disable: async (_tx, id, why) => {
        const endpoint = endpoints.get(id)
        if (!endpoint?.isActive) return true
        endpoint.isActive = false
        givenUp.push({ id, why })
        return true
      },
    },
  }
  const opened: { worker: DeliveryWorker; sender: Sender }[] = []
  function start(around: Context, sender: Sender, isSingleProcess: boolean): DeliveryWorker {
    const worker = startDeliveryWorker(around, { sender, endpoints: sources, isSingleProcess })
    opened.push({ worker, sender })
    return worker
  }
  return {
    ctx,
    clock,
    endpoints,
    givenUp,
    addEndpoint(url, family = 'chat') {
      const id = newId(family === 'chat' ? 'rule' : 'evt')
      endpoints.set(id, { id, url, family, secrets: { current: SECRET }, isActive: true })
      return id
    },
    async enqueue(endpointId, data = { greeting: 'Merhaba' }) {
      const family = endpoints.get(endpointId)?.family ?? 'chat'
      const id = newId(family === 'chat' ? 'wh' : 'evt')
      const sessionId = 'session_id' in data ? String(data.session_id) : null
      const event = family === 'chat' ? 'lead.created' : 'prompt.executed'
      const at = ctx.now()
      const body =
        family === 'chat'
          ? chatBody(SECRET, { event, id, at, data })
          : platformBody({ event, at, data })
      await transaction(ctx, (tx) =>
        enqueueDeliveries(tx, [
          { id, workspaceId: 'ws_test', family, endpointId, event, body, sessionId },
        ]),
      )
      return id
    },
    startWorker({ isSingleProcess = false, timeoutMs = 5_000 } = {}) {
      const policy = targetPolicy({ allowPrivateTargets: true, allowedTargetCidrs: [] })
      return start(ctx, openSender({ policy, version: '0', timeoutMs }), isSingleProcess)
    },
    startStalledWorker(sender) {
      const still = new TestClock(clock.now())
      const stalled = {
        ...ctx,
        clock: still,
        now: () => still.now(),
        dispatcher: new PubSubDispatcher(silent()),
      }
      return start(stalled, sender, false)
    },
    deliveries: (endpointId) =>
      listDeliveries(
        ctx.db,
        { workspaceId: 'ws_test', endpointId },
        { limit: 100, after: undefined },
      ),
    attempts: (deliveryId) => listAttempts(ctx.db, [deliveryId]),
    async close() {
      for (const { worker, sender } of opened) {
        await worker.stop()
        await sender.close()
      }
      await closeContext(ctx)
    },
  }
}

/** Nobody hears what is said on it but who is given it. */
function silent(): PubSub {
  return openPubSub(undefined, pino({ level: 'error' }))
}

const closers = new WeakMap<Context, () => Promise<void>>()

/** A context as the product makes it, on a real database. */
export async function openContext(
  place: DatabasePlace,
  clock: Clock,
  timeScale = 1,
): Promise<Context> {
  const config = readConfig({
    DATA_DIR: place.dataDir,
    SECRET_KEY: 'a secret key that only tests have',
    DATABASE_URL: place.databaseUrl,
    ALLOW_PRIVATE_TARGETS: 'true',
    DELIVERY_TIME_SCALE: String(timeScale),
    LOG_LEVEL: 'silent',
  })
  const storage = await openStorage(place, clock.now())
  const pubsub = silent()
  const log = pino({ level: 'silent' })
  const secrets = new Secrets('a secret key that only tests have')
  const suspensions = new Suspensions({ db: storage.db, clock })
  const ctx: Context = {
    db: storage.db,
    clock,
    now: () => clock.now(),
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
    counters: new RateLimitStore(() => clock.now(), undefined),
    inFlight: new InFlightWork(),
    indexes: new IndexCache(),
    turns: new TurnBatches(),
    models: openModels({ db: storage.db, clock, config, secrets, log }),
    embeddings: openEmbeddings({ db: storage.db, clock, config, secrets }),
    tools: [],
    toolSources: [],
    openDialog: openActionDialog,
    actionCalls: new ActionCalls({ config, log }, 'test'),
    quotaUsage: { sites: [], stored_bytes: [], passages: [], members: [] },
    extractive: extractiveAnswerer,
  }
  closers.set(ctx, () => storage.close())
  return ctx
}

export async function closeContext(ctx: Context): Promise<void> {
  await closers.get(ctx)?.()
}
