import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Context, transaction } from '../../context.ts'
import { PEOPLE_ONLY } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { AppError, invalidFields } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { BLOCK_MESSAGES, checkTarget, targetPolicy } from '../../net/target.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { NewPushSubscription, PushKey, PushSubscriptionId, type PushTarget } from './schema.ts'
import {
  deletePushSubscription,
  findPushSubscription,
  savePushSubscription,
  trimPushSubscriptions,
} from './store.ts'
import { openVapidKeys } from './vapid.ts'

const config = { access: PEOPLE_ONLY, pool: 'default' } as const
const tags = ['Account']
/** The browsers of one member; the oldest one makes way. */
const MAX_SUBSCRIPTIONS = 20

const key = {
  config,
  schema: {
    tags,
    summary: 'The key with which a browser subscribes to push messages',
    response: { 200: PushKey },
  },
} as const

const create = {
  config,
  schema: {
    tags,
    summary: 'Subscribe a browser to push messages',
    body: NewPushSubscription,
    response: { 201: PushSubscriptionId },
  },
} as const

const remove = {
  config,
  schema: {
    tags,
    summary: 'Unsubscribe a browser from push messages',
    params: z.object({ id: z.string().max(64) }),
    response: { 204: z.null() },
  },
} as const

/** Registers the routes of a member's push subscriptions. */
export function pushRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/push/key', key, async () => ({ key: (await openVapidKeys(ctx)).publicKey }))

  app.post('/api/v1/account/push-subscriptions', create, async (request, reply) => {
    const { workspaceId, id: userId } = requireMember(request)
    const check = checkTarget(request.body.endpoint, targetPolicy(ctx.config))
    if (!check.ok) {
      throw invalidFields([{ path: '/endpoint', message: BLOCK_MESSAGES[check.refusal] }])
    }
    const id = newId('psh')
    const endpoint = check.url.href
    const target: PushTarget = { endpoint, keys: request.body.keys }
    await transaction(ctx, async (tx) => {
      await savePushSubscription(tx.db, {
        id,
        workspace_id: workspaceId,
        user_id: userId,
        endpoint_digest: createHash('sha256').update(endpoint).digest('base64url'),
        content: tx.secrets.encrypt(JSON.stringify(target), id),
        created_at: tx.now(),
      })
      await trimPushSubscriptions(tx.db, { workspaceId, userId }, MAX_SUBSCRIPTIONS)
    })
    return reply.code(201).send({ id })
  })

  app.delete('/api/v1/account/push-subscriptions/:id', remove, async (request, reply) => {
    const { workspaceId, id: userId } = requireMember(request)
    const row = await findPushSubscription(ctx.db, workspaceId, request.params.id)
    if (row?.user_id !== userId) {
      throw new AppError('not_found', 'This push subscription does not exist.')
    }
    await deletePushSubscription(ctx.db, workspaceId, row.id)
    return reply.code(204).send(null)
  })
}
