import type { Agent } from 'undici'
import type { Context } from '../../context.ts'
import { type JobFailure, type RunningWorker, startQueueWorker } from '../../jobs/queue-worker.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/durations.ts'
import { checkTarget, targetPolicy } from '../../net/target.ts'
import { exposeQueue } from '../../storage/queue-depth.ts'
import { PushTarget } from './schema.ts'
import {
  type PushMessageRow,
  deletePushSubscription,
  findPushSubscription,
  pushMessages,
} from './store.ts'
import { openVapidKeys } from './vapid.ts'

const RETRY_SCHEDULE_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]
/** A message that is older is of no use; push services keep one for this long too. */
const MAX_AGE_MS = 4 * HOUR_MS
/** Upper bound of a push service's `Retry-After`. */
const MAX_RETRY_AFTER_MS = HOUR_MS
const POLL_INTERVAL_MS = 5 * SECOND_MS
const RESPONSE_TIMEOUT_MS = 15 * SECOND_MS
const LEASE_TTL_MS = MINUTE_MS
const STOP_TIMEOUT_MS = 5 * SECOND_MS
const MAX_CONCURRENCY = 5
/** The subscription is gone for good (RFC 8030, section 7.3). */
const GONE = new Set([404, 410])

/** A push service refused a message. */
class PushError extends Error {
  readonly isPermanent: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, more: { isPermanent: boolean; retryAfterMs?: number | undefined }) {
    super(message)
    this.isPermanent = more.isPermanent
    this.retryAfterMs = more.retryAfterMs
  }
}

/** Starts to send queued push messages, behind the SSRF guard: a subscription names any URL. */
export function startPushWorker(ctx: Context): RunningWorker {
  let agent: Promise<Agent> | undefined

  async function openAgent(): Promise<Agent> {
    const undici = await import('undici')
    const { guardedConnector } = await import('../../net/ssrf-guard.ts')
    const connect = guardedConnector({ policy: targetPolicy(ctx.config) })
    return new undici.Agent({ connect, pipelining: 1 })
  }

  const worker = startQueueWorker<PushMessageRow>(
    ctx,
    {
      queue: pushMessages,
      concurrency: MAX_CONCURRENCY,
      leaseMs: LEASE_TTL_MS,
      pollMs: POLL_INTERVAL_MS,
      async run(message, signal) {
        agent ??= openAgent()
        await sendPush(ctx, message, { agent: await agent, signal })
      },
      classify,
      retryDelayMs({ attempts, created_at }) {
        const delay = RETRY_SCHEDULE_MS[Math.min(attempts, RETRY_SCHEDULE_MS.length) - 1] ?? 0
        return ctx.now() + delay >= created_at + MAX_AGE_MS ? undefined : delay
      },
      async onDead(message) {
        await pushMessages.complete(ctx.db, message, ctx.now())
      },
      onStop: 'finish',
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    { isSingleProcess: false },
  )
  return {
    async stop() {
      await worker.stop()
      await (await agent)?.destroy()
    },
  }
}

/** Exposes the depth and age of the queue of push messages. */
export function exposePushQueue(ctx: Context): void {
  exposeQueue(ctx, {
    name: 'push',
    rows: 'push messages',
    table: 'push_messages',
    dueAt: 'next_at',
  })
}

async function sendPush(
  ctx: Context,
  message: PushMessageRow,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<void> {
  const { workspace_id, subscription_id } = message
  const row = await findPushSubscription(ctx.db, workspace_id, subscription_id)
  if (row) {
    const target = PushTarget.parse(JSON.parse(ctx.secrets.decrypt(row.content, row.id)))
    const { status, retryAfter } = await post(ctx, message, { target, agent, signal })
    if (GONE.has(status)) await deletePushSubscription(ctx.db, workspace_id, row.id)
    else if (status < 200 || status > 299) {
      const isPermanent = status < 500 && status !== 429 && status !== 408
      const seconds = Number(retryAfter)
      throw new PushError(`The push service answered ${status}.`, {
        isPermanent,
        retryAfterMs: Number.isFinite(seconds)
          ? Math.min(seconds * SECOND_MS, MAX_RETRY_AFTER_MS)
          : undefined,
      })
    }
  }
  await pushMessages.complete(ctx.db, message, ctx.now())
}

async function post(
  ctx: Context,
  message: PushMessageRow,
  { target, agent, signal }: { target: PushTarget; agent: Agent; signal: AbortSignal },
): Promise<{ status: number; retryAfter: string | undefined }> {
  const check = checkTarget(target.endpoint, targetPolicy(ctx.config))
  if (!check.ok) {
    throw new PushError(`The endpoint is not allowed (${check.refusal}).`, { isPermanent: true })
  }
  const [{ default: webPush }, { request }] = await Promise.all([
    import('web-push'),
    import('undici'),
  ])
  const { hostname } = new URL(ctx.config.publicUrl ?? 'http://localhost')
  const address = ctx.config.mailFrom?.address ?? `no-reply@${hostname}`
  const payload = ctx.secrets.decrypt(message.payload, message.id)
  const details = webPush.generateRequestDetails(target, payload, {
    vapidDetails: { subject: `mailto:${address}`, ...(await openVapidKeys(ctx)) },
    TTL: MAX_AGE_MS / SECOND_MS,
    urgency: 'high',
  })
  const answer = await request(check.url, {
    dispatcher: agent,
    method: 'POST',
    // Some of its values are numbers, whatever its types say.
    headers: new Headers(details.headers),
    body: details.body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
  })
  await answer.body.dump()
  return { status: answer.statusCode, retryAfter: [answer.headers['retry-after']].flat()[0] }
}

function classify(error: unknown): JobFailure {
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof PushError)) return { reason, isExpected: true, isPermanent: false }
  const { isPermanent, retryAfterMs } = error
  return { reason, isExpected: true, isPermanent, retryAfterMs }
}
