import type { Context } from '../context.ts'
import type { Sender } from '../delivery/attempt.ts'
import { signingSecrets } from '../delivery/sealed-secrets.ts'
import { readAttempts } from '../delivery/shown-attempts.ts'
import { platformBody } from '../delivery/signature.ts'
import { listDeliveries } from '../delivery/store.ts'
import { sendOnce } from '../delivery/try-out.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isoTime, PageQuery, pageSchema } from '../http/pages.ts'
import { pageOf } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { memberOf } from '../platform/callers.ts'
import {
  openSubscription,
  openSubscriptionOrHistory,
  SubscriptionPath,
} from './open-subscription.ts'
import { SAMPLES } from './samples.ts'
import { RetryResult, SubscriptionDelivery, TestRequest, TestResult } from './schema.ts'
import { eventsOf, showSubscription } from './shown-subscription.ts'
import { retrySubscription } from './subscriptions.ts'

const config = { access: managers('webhooks:manage'), pool: 'default' } as const
const tags = ['Webhook subscriptions']

const tryOut = {
  config,
  schema: {
    summary: 'Send a sample event now',
    description:
      'One attempt, signed like every delivery, whether the subscription is active or not; the answer ' +
      'says what came of it. It is kept in the deliveries, and is never tried again.',
    tags,
    params: SubscriptionPath,
    body: TestRequest,
    response: { 200: TestResult },
  },
} as const

const retry = {
  config,
  schema: {
    summary: 'Ping, and send again what failed or is held',
    description:
      'A 2xx makes the subscription `active`, and its failed and held deliveries go out again, each ' +
      'under the same `X-SVC-Delivery`. After any other answer everything stays as it was, and `ok` is false.',
    tags,
    params: SubscriptionPath,
    response: { 200: RetryResult },
  },
} as const

const deliveries = {
  config,
  schema: {
    summary: 'What a subscription sent, with every attempt, new ones first',
    description: 'Kept for 30 days, also after the subscription was deleted.',
    tags,
    params: SubscriptionPath,
    querystring: PageQuery,
    response: { 200: pageSchema(SubscriptionDelivery) },
  },
} as const

/** Tests, retries by hand and the history of subscriptions. */
export function deliveryRoutes(app: App, ctx: Context, sender: Sender): void {
  const base = '/api/v1/webhooks/:id'

  app.post(`${base}/test`, tryOut, async (request) => {
    const subscription = await openSubscription(ctx, memberOf(request), request.params.id)
    const [first] = eventsOf(subscription)
    const event = request.body?.event ?? first ?? 'chatbot.message'
    const id = newId('evt')
    const { hasArrived, status, error, latency_ms, answer } = await sendOnce(
      ctx,
      sender,
      { id: subscription.id, url: subscription.url, secrets: signingSecrets(ctx, subscription) },
      {
        id,
        workspaceId: subscription.workspace_id,
        family: 'platform',
        event,
        body: platformBody({ event, at: ctx.now(), data: SAMPLES[event] }),
      },
    )
    return { id, event, ok: hasArrived, status, error, latency_ms, answer }
  })

  app.post(`${base}/retry`, retry, async (request) => {
    const subscription = await openSubscription(ctx, memberOf(request), request.params.id)
    const { hasArrived, resent, row } = await retrySubscription(ctx, subscription, sender)
    return { ok: hasArrived, resent, subscription: showSubscription(row) }
  })

  app.get(`${base}/deliveries`, deliveries, async (request) => {
    const subscription = await openSubscriptionOrHistory(ctx, memberOf(request), request.params.id)
    const { limit, cursor } = request.query
    const place = { workspaceId: subscription.workspace_id, endpointId: subscription.id }
    const rows = await listDeliveries(ctx.db, place, { limit, after: cursor })
    const attemptsOf = await readAttempts(ctx, rows.slice(0, limit))
    return pageOf(
      rows,
      limit,
      (row) => ({ at: row.created_at, id: row.id }),
      (row) => ({
        id: row.id,
        event: row.event,
        state: row.state === 'dead' ? ('failed' as const) : row.state,
        created_at: isoTime(row.created_at),
        next_attempt_at: row.next_at === null ? null : isoTime(row.next_at),
        attempts: attemptsOf(row.id),
      }),
    )
  })
}
