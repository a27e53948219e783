import { z } from 'zod'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { newId } from '../lib/ids.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { CannedReply, CannedReplyPatch, NewCannedReply } from './schema.ts'
import {
  type CannedReplyRow,
  deleteCannedReply,
  findCannedReply,
  insertCannedReply,
  listCannedReplies,
  updateCannedReply,
} from './store.ts'

const tags = ['Inbox']
const forMembers = { access: members('chat:manage'), pool: 'default' } as const
const params = z.object({ canned_reply_id: z.string().max(64) })

const create = {
  config: forMembers,
  schema: {
    tags,
    summary: 'Add a canned reply',
    body: NewCannedReply,
    response: { 201: CannedReply },
  },
} as const

const list = {
  config: forMembers,
  schema: {
    tags,
    summary: 'List the canned replies, newest first',
    querystring: PageQuery,
    response: { 200: pageSchema(CannedReply) },
  },
} as const

const read = {
  config: forMembers,
  schema: { tags, summary: 'Get a canned reply', params, response: { 200: CannedReply } },
} as const

const change = {
  config: forMembers,
  schema: {
    tags,
    summary: 'Change a canned reply',
    params,
    body: CannedReplyPatch,
    response: { 200: CannedReply },
  },
} as const

const remove = {
  config: forMembers,
  schema: { tags, summary: 'Remove a canned reply', params, response: { 204: z.null() } },
} as const

/** Registers the routes of canned replies, which the whole workspace shares. */
export function cannedReplyRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/canned-replies' as const

  app.post(base, create, async (request, reply) => {
    const now = ctx.now()
    const row: CannedReplyRow = {
      id: newId('can'),
      workspace_id: requireMember(request).workspaceId,
      ...request.body,
      created_at: now,
      updated_at: now,
    }
    await insertCannedReply(ctx.db, row)
    return reply.code(201).send(serializeCannedReply(row))
  })

  app.get(base, list, async (request) => {
    const { limit, cursor } = request.query
    const page = { limit, after: cursor }
    const rows = await listCannedReplies(ctx.db, requireMember(request).workspaceId, page)
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeCannedReply)
  })

  app.get(`${base}/:canned_reply_id`, read, async (request) =>
    serializeCannedReply(
      await openCannedReply(ctx, requireMember(request), request.params.canned_reply_id),
    ),
  )

  app.patch(`${base}/:canned_reply_id`, change, async (request) => {
    const row = await openCannedReply(ctx, requireMember(request), request.params.canned_reply_id)
    const { title = row.title, text = row.text } = request.body
    const changed = await updateCannedReply(ctx.db, row, { title, text, updated_at: ctx.now() })
    return serializeCannedReply(changed ?? row)
  })

  app.delete(`${base}/:canned_reply_id`, remove, async (request, reply) => {
    await deleteCannedReply(
      ctx.db,
      await openCannedReply(ctx, requireMember(request), request.params.canned_reply_id),
    )
    return reply.code(204).send(null)
  })
}

async function openCannedReply(
  ctx: Context,
  caller: UserCaller,
  id: string,
): Promise<CannedReplyRow> {
  const row = await findCannedReply(ctx.db, id)
  assertOwned(row?.workspace_id, caller.workspaceId, 'canned reply')
  if (!row) throw new AppError('not_found', 'This canned reply does not exist.')
  return row
}

function serializeCannedReply(row: CannedReplyRow): CannedReply {
  return {
    canned_reply_id: row.id,
    title: row.title,
    text: row.text,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  }
}
