import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Sender } from '../delivery/http/attempt.ts'
import { standardSecret } from '../lib/standard-webhooks.ts'
import { targetPolicy } from '../net/target.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { isoTime, PageQuery, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { loadSubscription, SubscriptionPath } from './load.ts'
import { deliveryRoutes } from './routes.deliveries.ts'
import {
  CreatedSubscription,
  NewSubscriptionSecret,
  NewSubscription,
  RotatedSubscriptionSecret,
  Subscription,
  SubscriptionPatch,
} from './schema.ts'
import { serializeSubscription } from './serialize.ts'
import { listSubscriptions } from './store.ts'
import {
  addSubscription,
  changeSubscription,
  removeSubscription,
  rotateSubscriptionSecret,
} from './subscriptions.ts'

const config = { access: managers('webhooks:manage'), pool: 'default' } as const
const tags = ['Webhook subscriptions']

const create = {
  config,
  schema: {
    summary: 'Subscribe a URL to events',
    description:
      'Sends a signed `ping` to the URL at once, also with `active: false`, and answers when it is over ' +
      '(10 s at most). A 2xx makes the subscription `active`; anything else leaves it `disabled`, and `ping` ' +
      'says why. The secret is shown in this answer only.',
    tags,
    body: NewSubscription,
    response: { 201: CreatedSubscription },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List subscriptions, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(Subscription) },
  },
} as const

const read = {
  config,
  schema: {
    summary: 'One subscription',
    tags,
    params: SubscriptionPath,
    response: { 200: Subscription },
  },
} as const

const change = {
  config,
  schema: {
    summary: 'Change a subscription',
    description:
      'Another `url` is pinged like that of a new subscription, and nothing is sent to it before it has ' +
      'answered with 2xx. `secret` replaces the secret as `rotate-secret` does. What was held goes out ' +
      'as soon as the subscription is active and switched on.',
    tags,
    params: SubscriptionPath,
    body: SubscriptionPatch,
    response: { 200: Subscription },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Delete a subscription and its queued deliveries',
    description: 'Attempts in flight are completed; the history stays readable for 30 days.',
    tags,
    params: SubscriptionPath,
    response: { 204: z.null() },
  },
} as const

const rotate = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Replace the secret; the old one signs beside it for 24 hours',
    description:
      '`X-SVC-Signature` uses the new secret at once. `webhook-signature` holds a signature of each for ' +
      '24 hours.',
    tags,
    params: SubscriptionPath,
    body: NewSubscriptionSecret,
    response: { 200: RotatedSubscriptionSecret },
  },
} as const

/** Subscriptions to the platform's events (specification of the prompt platform, "Events"). */
export function subscriptionRoutes(app: App, ctx: Context, { sender }: { sender: Sender }): void {
  const base = '/api/v1/webhooks'
  const outside = { sender, policy: targetPolicy(ctx.config) }

  app.post(base, create, async (request, reply) => {
    const who = { workspaceId: requireMember(request).workspaceId, actor: actorOf(request) }
    const { row, secret } = await addSubscription(ctx, who, request.body, outside)
    return reply
      .code(201)
      .send({ ...serializeSubscription(row), secret, standard_secret: standardSecret(secret) })
  })

  app.get(base, list, async (request) => {
    const { limit, cursor } = request.query
    const page = { limit, after: cursor }
    const rows = await listSubscriptions(ctx.db, requireMember(request).workspaceId, page)
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeSubscription)
  })

  app.get(`${base}/:id`, read, async (request) =>
    serializeSubscription(await loadSubscription(ctx, requireMember(request), request.params.id)),
  )

  app.patch(`${base}/:id`, change, async (request) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    const deed = { subscription, actor: actorOf(request) }
    return serializeSubscription(await changeSubscription(ctx, deed, request.body, outside))
  })

  app.delete(`${base}/:id`, remove, async (request, reply) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    await removeSubscription(ctx, { subscription, actor: actorOf(request) })
    return reply.code(204).send(null)
  })

  app.post(`${base}/:id/rotate-secret`, rotate, async (request) => {
    const subscription = await loadSubscription(ctx, requireMember(request), request.params.id)
    const deed = { subscription, actor: actorOf(request) }
    const { secret, previousUntil } = await rotateSubscriptionSecret(
      ctx,
      deed,
      request.body?.secret,
    )
    return {
      id: subscription.id,
      secret,
      standard_secret: standardSecret(secret),
      previous_valid_until: isoTime(previousUntil),
    }
  })

  deliveryRoutes(app, ctx, sender)
}
