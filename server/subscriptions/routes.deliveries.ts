import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import { retryDelivery } from '../delivery/queue/manual-retry.ts'
import { recoverSince } from '../delivery/queue/recover.ts'
import { signingSecrets } from '../delivery/signing-secrets.ts'
import { listAttemptsFor } from '../delivery/queue/store.ts'
import { platformBody } from '../delivery/signature.ts'
import { type DeliveryState, findDeliveryOwner, listDeliveries } from '../delivery/queue/store.ts'
import { sendTestDelivery } from '../delivery/worker/test-delivery.ts'
import { EVENTS, internalName } from '../events/registry.ts'
import { managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { loadSubscription, loadSubscriptionOrHistory, SubscriptionPath } from './load.ts'
import {
  DeliveryQuery,
  RecoverRequest,
  Recovered,
  RetriedDelivery,
  RetryResult,
  SubscriptionDelivery,
  TestRequest,
  SubscriptionTestResult,
} from './schema.ts'
import { eventsOf, serializeSubscription } from './serialize.ts'
import type { SubscriptionRow } from './store.ts'
import { retrySubscription } from './subscriptions.ts'

/** Dead letters and failed tests are separate states; both are shown as failed. */
const STATES_BY_FILTER: Record<string, readonly DeliveryState[]> = { failed: ['failed', 'dead'] }

const config = { access: managers('webhooks:manage'), pool: 'default' } as const
/** Operators may see what was sent, and send it again; a ping that switches on is for managers. */
const forOperatorsToo = { access: members('webhooks:manage'), pool: 'default' } as const
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
    response: { 200: SubscriptionTestResult },
  },
} as const

const retry = {
  config,
  schema: {
    summary: 'Ping, then resend the failed and held deliveries',
    description:
      'A 2xx makes the subscription `active`, and its failed and held deliveries go out again, each ' +
      'under the same `X-SVC-Delivery`. After any other answer everything stays as it was, and `ok` is false.',
    tags,
    params: SubscriptionPath,
    response: { 200: RetryResult },
  },
} as const

const deliveries = {
  config: forOperatorsToo,
  schema: {
    summary: 'List the deliveries of a subscription with their attempts, newest first',
    description: 'Kept for 30 days, also after the subscription was deleted.',
    tags,
    params: SubscriptionPath,
    querystring: DeliveryQuery,
    response: { 200: pageSchema(SubscriptionDelivery) },
  },
} as const

const retryOne = {
  config: { ...forOperatorsToo, mayFail: ['conflict'] },
  schema: {
    summary: 'Send one delivery again now',
    description:
      'For a delivery that failed, or that waits for its next attempt: it goes out at once, under the ' +
      'same `X-SVC-Delivery` and with the same body. 409 while an attempt is under way, once it has ' +
      'arrived, for tests and pings, and while the subscription is disabled or switched off.',
    tags,
    params: SubscriptionPath.extend({ evt_id: z.string().max(64) }),
    response: { 202: RetriedDelivery },
  },
} as const

const recover = {
  config: { ...forOperatorsToo, mayFail: ['conflict'] },
  schema: {
    summary: 'Resend everything that failed since a time',
    description:
      'For after an outage of the receiver: what failed for good, what waits for its next attempt after a ' +
      'failure, and what is held goes out now, each under the same `X-SVC-Delivery`, however many there ' +
      'are. 409 while the subscription is disabled (`retry` pings first) or switched off.',
    tags,
    params: SubscriptionPath,
    body: RecoverRequest,
    response: { 202: Recovered },
  },
} as const

/** Tests, manual retries and the delivery history of subscriptions. */
export function deliveryRoutes(app: App, ctx: Context, sender: Sender): void {
  const base = '/api/v1/webhooks/:id'

  app.post(`${base}/test`, tryOut, async (request) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    const [first] = eventsOf(subscription)
    const event = request.body?.event ?? first ?? 'chatbot.message'
    const id = newId('evt')
    const { hasArrived, status, error, latency_ms, answer } = await sendTestDelivery(
      ctx,
      sender,
      { id: subscription.id, url: subscription.url, secrets: signingSecrets(ctx, subscription) },
      {
        id,
        workspaceId: subscription.workspace_id,
        family: 'platform',
        event,
        body: platformBody({ event, at: ctx.now(), data: EVENTS[internalName(event)].sample }),
      },
    )
    return { id, event, ok: hasArrived, status, error, latency_ms, answer }
  })

  app.post(`${base}/retry`, retry, async (request) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    const { hasArrived, resent, row } = await retrySubscription(ctx, subscription, sender)
    return { ok: hasArrived, resent, subscription: serializeSubscription(row) }
  })

  app.post(`${base}/recover`, recover, async (request, reply) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    assertActive(subscription)
    const { since } = request.body
    const recovery = await transaction(ctx, (tx) =>
      recoverSince(tx, { endpointId: subscription.id, since }),
    )
    const { id, sent, isFinished } = recovery
    return reply.code(202).send({ ok: true, recovery_id: id, resent: sent, finished: isFinished })
  })

  app.post(`${base}/deliveries/:evt_id/retry`, retryOne, async (request, reply) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    const { evt_id: id } = request.params
    await retryOf(ctx, subscription, id)
    return reply.code(202).send({ ok: true, id })
  })

  app.get(`${base}/deliveries`, deliveries, async (request) => {
    const subscription = await loadSubscriptionOrHistory(
      ctx,
      requireMember(request),
      request.params.id,
    )
    const { limit, cursor, state } = request.query
    const place = {
      workspaceId: subscription.workspace_id,
      endpointId: subscription.id,
      ...(state === undefined ? {} : { states: STATES_BY_FILTER[state] ?? [state] }),
    }
    const rows = await listDeliveries(ctx.db, place, { limit, after: cursor })
    const attemptsOf = await listAttemptsFor(ctx.db, rows.slice(0, limit))
    return toPage(
      rows,
      limit,
      (row) => ({ at: row.created_at, id: row.id }),
      (row) => ({
        id: row.id,
        event: row.event,
        state: row.state === 'dead' ? ('failed' as const) : row.state,
        created_at: isoTime(row.created_at),
        next_attempt_at: row.next_at === null ? null : isoTime(row.next_at),
        body: row.body,
        attempts: attemptsOf(row.id),
      }),
    )
  })
}

async function retryOf(ctx: Context, subscription: SubscriptionRow, id: string): Promise<void> {
  const { workspace_id: workspaceId } = subscription
  const delivery = await findDeliveryOwner(ctx.db, 'platform', id)
  assertOwned(delivery?.workspace_id, workspaceId, 'delivery')
  if (delivery?.endpoint_id !== subscription.id) {
    throw new AppError('not_found', 'This delivery does not exist.')
  }
  assertActive(subscription)
  const retried = await transaction(ctx, (tx) =>
    retryDelivery(tx, { id, workspaceId, family: 'platform' }),
  )
  if (retried === 'sending') {
    throw new AppError(
      'conflict',
      'An attempt of this delivery is in flight. Try again when it has ended.',
    )
  }
  if (retried === 'over') {
    throw new AppError('conflict', 'This delivery is finished and cannot be sent again.')
  }
}

/** Throws 409 for a subscription that is disabled or switched off. */
function assertActive(subscription: SubscriptionRow): void {
  if (subscription.disabled_at !== null) {
    throw new AppError(
      'conflict',
      'The subscription is disabled. Retry the subscription, which pings it first.',
    )
  }
  if (subscription.switched_off_at !== null) {
    throw new AppError('conflict', 'The subscription is switched off. Switch it on first.')
  }
}
