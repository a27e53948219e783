import { type Context, transaction } from '../../context.ts'
import { AppError, invalidFields, assertOwned } from '../../http/errors.ts'
import { isoTime } from '../../http/pagination.ts'
import { newId } from '../../lib/ids.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import { kindsWith } from '../channels/registry.ts'
import { channelOf, openIntegration, secretsOf, settingsOf } from '../integrations.ts'
import { socialPosts } from '../queue.ts'
import type { NewPost, SocialPost } from '../schema.ts'
import { type PostRow, cancelPost, findPost, insertPost } from './store.posts.ts'
import type { IntegrationRow } from '../store.ts'

/** Queues a post, now or for later. Throws 422 or 409 where the integration cannot publish it. */
export async function addPost(
  ctx: Context,
  who: { workspaceId: string; actor: Actor },
  wanted: NewPost,
): Promise<PostRow> {
  const integration = await openIntegration(ctx, who.workspaceId, wanted.integration_id)
  assertPostable(ctx, integration, wanted)
  const now = ctx.now()
  const id = newId('pst')
  const publishAt = Math.max(now, wanted.publish_at ?? now)
  const row: PostRow = {
    id,
    workspace_id: who.workspaceId,
    integration_id: integration.id,
    text: wanted.text,
    image_url: wanted.image_url ?? null,
    publish_at: publishAt,
    provider_draft_id: null,
    asked_at: null,
    provider_post_id: null,
    url: null,
    lane: id,
    position: 0,
    state: 'waiting',
    attempts: 0,
    next_at: publishAt,
    lease_token: null,
    lease_until: null,
    error: null,
    created_at: now,
    ended_at: null,
  }
  await transaction(ctx, async (tx) => {
    await insertPost(tx.db, row)
    await recordAudit(tx, who.workspaceId, {
      actor: who.actor,
      action: 'social_post.created',
      subject: { type: 'social_post', id },
      details: { integration_id: integration.id, publish_at: isoTime(publishAt) },
    })
    socialPosts.notify(tx)
  })
  return row
}

function assertPostable(ctx: Context, integration: IntegrationRow, wanted: NewPost): void {
  const { posts } = channelOf(integration)
  if (!posts) {
    const kinds = kindsWith((channel) => channel.posts !== undefined)
    const message = `must be one of the kind ${kinds}`
    throw invalidFields([{ path: '/integration_id', message }])
  }
  const settings = settingsOf(integration)
  if (posts.requiresImage(settings) && wanted.image_url === undefined) {
    const message = `is needed for a post on ${posts.platform(settings)}`
    throw invalidFields([{ path: '/image_url', message }])
  }
  const { accountField, tokenField } = posts
  const secrets = secretsOf(ctx, integration)
  if (settings[accountField] === undefined || secrets[tokenField] === undefined) {
    const message = `The integration needs an ${accountField} and an ${tokenField} first.`
    throw new AppError('conflict', message)
  }
}

/** Cancels a post. Throws 409 for a post that is published, or in progress. Idempotent. */
export async function removePost(
  ctx: Context,
  { row, actor }: { row: PostRow; actor: Actor },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    if (await cancelPost(tx.db, row, tx.now())) {
      await recordAudit(tx, row.workspace_id, {
        actor,
        action: 'social_post.cancelled',
        subject: { type: 'social_post', id: row.id },
      })
      return
    }
    const current = await findPost(tx.db, row.id)
    if (current?.state === 'waiting' || current?.state === 'done') {
      throw new AppError('conflict', 'The post is already published, or is being published.')
    }
  })
}

/** Loads the workspace's post. Throws 404 for an unknown one, 403 for another workspace's. */
export async function openPost(ctx: Context, workspaceId: string, id: string): Promise<PostRow> {
  const row = await findPost(ctx.db, id)
  assertOwned(row?.workspace_id, workspaceId, 'post')
  if (!row) throw new AppError('not_found', 'This post does not exist.')
  return row
}

/** Serializes a post for its workspace. */
export function showPost(ctx: Context, row: PostRow): SocialPost {
  return {
    social_post_id: row.id,
    integration_id: row.integration_id,
    text: row.text,
    image_url: row.image_url,
    state: stateOf(row, ctx.now()),
    publish_at: isoTime(row.publish_at),
    published_at: row.state === 'done' && row.ended_at !== null ? isoTime(row.ended_at) : null,
    post_id: row.provider_post_id,
    url: row.url,
    error: row.error,
    created_at: isoTime(row.created_at),
  }
}

function stateOf({ state, publish_at }: PostRow, now: number): SocialPost['state'] {
  if (state === 'waiting') return publish_at > now ? 'scheduled' : 'queued'
  return state === 'done' ? 'published' : state
}
