import { z } from 'zod'
import type { Context } from '../../context.ts'
import { managers } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { actorOf } from '../../platform/audit/audit.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { addPost, openPost, removePost, showPost } from './posts.ts'
import { NewPost, PostsQuery, SocialPost } from '../schema.ts'
import { listPosts } from './store.posts.ts'

const config = {
  access: managers('chat:manage', { feature: 'social' }),
  pool: 'default',
} as const
const tags = ['Social posts']
const PostPath = z.object({ social_post_id: z.string().max(64) })

const create = {
  config: { ...config, mayFail: ['conflict', 'not_found'] },
  schema: {
    summary: 'Publish on a page or an Instagram account, now or at `publish_at`',
    tags,
    body: NewPost,
    response: { 201: SocialPost },
  },
} as const

const list = {
  config,
  schema: {
    summary: 'List posts, newest first',
    tags,
    querystring: PostsQuery,
    response: { 200: pageSchema(SocialPost) },
  },
} as const

const read = {
  config,
  schema: { summary: 'One post', tags, params: PostPath, response: { 200: SocialPost } },
} as const

const remove = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Cancel a post before it is published',
    tags,
    params: PostPath,
    response: { 204: z.null() },
  },
} as const

/** Posts of a workspace on Facebook and Instagram, through its meta integrations. */
export function postRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/social/posts'
  const one = `${base}/:social_post_id` as const

  app.post(base, create, async (request, reply) => {
    const who = { workspaceId: requireMember(request).workspaceId, actor: actorOf(request) }
    return reply.code(201).send(showPost(ctx, await addPost(ctx, who, request.body)))
  })

  app.get(base, list, async (request) => {
    const { limit, cursor, integration_id: integrationId } = request.query
    const { workspaceId } = requireMember(request)
    const page = { limit, after: cursor }
    const rows = await listPosts(ctx.db, { workspaceId, integrationId }, page)
    const placeOf = (row: { created_at: number; id: string }) => ({
      at: row.created_at,
      id: row.id,
    })
    return toPage(rows, limit, placeOf, (row) => showPost(ctx, row))
  })

  app.get(one, read, async (request) =>
    showPost(
      ctx,
      await openPost(ctx, requireMember(request).workspaceId, request.params.social_post_id),
    ),
  )

  app.delete(one, remove, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    const row = await openPost(ctx, workspaceId, request.params.social_post_id)
    await removePost(ctx, { row, actor: actorOf(request) })
    return reply.code(204).send(null)
  })
}
