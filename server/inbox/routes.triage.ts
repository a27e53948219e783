import { z } from 'zod'
import { openSession } from '../chat/session/sessions.ts'
import { assignSession } from '../chat/session/transitions.ts'
import { draftReply } from '../chat/turn/draft.ts'
import type { Context } from '../context.ts'
import { members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, assertOwned } from '../http/errors.ts'
import { pageSchema } from '../http/pagination.ts'
import type { Person } from '../live/schema.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { findMemberName, findMemberOwner } from '../platform/members/store.ts'
import { findTenant } from '../tenants/tenants.ts'
import { NoBody } from '../chat/schema.ts'
import { readInboxSession } from './conversations.ts'
import { Assign, Draft, InboxCounts, InboxPatch, InboxSession, InboxTag } from './schema.ts'
import { countInbox } from './store.list.ts'
import { listTags } from './store.tags.ts'
import { triageSession } from './triage.ts'
import { onResponseClosed } from '../http/response-closed.ts'

const MAX_TAGS = 200

const forMembers = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Inbox']
const place = { tags, params: z.object({ session_id: z.string().max(64) }) }

const counts = {
  config: forMembers,
  schema: {
    tags,
    summary: 'Count conversations: waiting, assigned to you, open and closed',
    response: { 200: InboxCounts },
  },
} as const

const usedTags = {
  config: forMembers,
  schema: {
    tags,
    summary: 'List the tags in use, most frequent first',
    response: { 200: pageSchema(InboxTag) },
  },
} as const

const assign = {
  config: { ...forMembers, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Assign a conversation to a member, or to nobody',
    body: Assign,
    response: { 200: InboxSession },
  },
} as const

const change = {
  config: forMembers,
  schema: {
    ...place,
    summary: 'Tag or snooze a conversation',
    body: InboxPatch,
    response: { 200: InboxSession },
  },
} as const

const draft = {
  config: {
    ...forMembers,
    mayFail: [
      'conflict',
      'credits_exhausted',
      'credits_held',
      'model_failed',
      'model_timeout',
      'price_missing',
    ],
  },
  schema: {
    ...place,
    summary: "Draft a reply from the site's documents, at the price of a turn; sends nothing",
    body: NoBody,
    response: { 200: Draft },
  },
} as const

/** Registers the routes that sort the inbox: counts, tags, snooze, assignment, and drafts. */
export function triageRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/inbox/:session_id' as const

  app.get('/api/v1/inbox/counts', counts, async (request) => {
    const { workspaceId, id: userId } = requireMember(request)
    return countInbox(ctx.db, { workspaceId, userId, now: ctx.now() })
  })

  app.get('/api/v1/inbox/tags', usedTags, async (request) => {
    const { workspaceId } = requireMember(request)
    return { data: await listTags(ctx.db, workspaceId, MAX_TAGS), next_cursor: null }
  })

  app.post(`${base}/assign`, assign, async (request) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const { user_id: userId } = request.body
    const to = userId === null ? null : await openMember(caller.workspaceId, userId)
    return readInboxSession(ctx, await assignSession(ctx, caller, { session, to }))
  })

  app.patch(base, change, async (request) => {
    const session = await openSession(ctx, requireMember(request), request.params.session_id)
    const { tags: given, snoozed_until: snoozedUntil } = request.body
    return readInboxSession(ctx, await triageSession(ctx, session, { tags: given, snoozedUntil }))
  })

  app.post(`${base}/draft`, draft, async (request, reply) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const tenant = await findTenant(ctx.db, session.tenant_id)
    if (!tenant) throw new AppError('not_found', 'The site of this conversation was removed.')
    const stop = new AbortController()
    onResponseClosed(reply.raw, () => stop.abort())
    return draftReply(ctx, caller, { tenant, session }, stop.signal)
  })

  async function openMember(workspaceId: string, userId: string): Promise<Person> {
    const person = await findMemberName(ctx.db, workspaceId, userId)
    if (person) return person
    assertOwned(await findMemberOwner(ctx.db, userId), workspaceId, 'member')
    throw new AppError('not_found', 'This member does not exist.')
  }
}
