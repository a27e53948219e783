import { z } from 'zod'
import { markReadUpTo, broadcastTyping } from '../chat/session/read-receipts.ts'
import { NoBody, ReadMark, Typing } from '../chat/schema.ts'
import { openSession } from '../chat/session/sessions.ts'
import {
  claimSession,
  closeSession,
  toPerson,
  releaseSession,
} from '../chat/session/transitions.ts'
import type { Context } from '../context.ts'
import { members, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { PageQuery, pageSchema } from '../http/pagination.ts'
import { requireCaller, requireMember } from '../platform/auth/authenticator.ts'
import { findReplay, requestKeyOf } from '../platform/idempotency.ts'
import { checkVisitorOrigin } from '../chat/routes.visitor.ts'
import { readConversation, readInboxSession } from './conversations.ts'
import { exportSession } from './export.ts'
import { readInbox } from './inbox-list.ts'
import { writeMessage, writeNote } from './replies.ts'
import {
  Conversation,
  InboxMessage,
  InboxQuery,
  InboxSession,
  Note,
  Release,
  SessionExport,
  Write,
} from './schema.ts'
import { cannedReplyRoutes } from './routes.canned.ts'
import { feedbackRoutes } from './routes.feedback.ts'
import { triageRoutes } from './routes.triage.ts'

const forMembers = { access: members('chat:manage'), pool: 'default' } as const
const tags = ['Inbox']
const place = { tags, params: z.object({ session_id: z.string().max(64) }) }

const list = {
  config: forMembers,
  schema: {
    tags,
    summary: 'List conversations, newest first',
    querystring: InboxQuery,
    response: { 200: pageSchema(InboxSession) },
  },
} as const

const read = {
  config: forMembers,
  schema: {
    ...place,
    summary: 'One conversation with its newest messages, notes and lead',
    querystring: PageQuery,
    response: { 200: Conversation },
  },
} as const

const claim = {
  config: { ...forMembers, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Claim a conversation',
    body: NoBody,
    response: { 200: InboxSession },
  },
} as const

const release = {
  config: { ...forMembers, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Give a conversation back to the bot, or to the next available member',
    body: Release.nullish(),
    response: { 200: InboxSession },
  },
} as const

const close = {
  config: { ...forMembers, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Close a conversation',
    body: NoBody,
    response: { 200: InboxSession },
  },
} as const

const write = {
  config: { ...forMembers, isIdempotent: true, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Send a message to the visitor',
    body: Write,
    response: { 201: InboxMessage },
  },
} as const

const note = {
  config: forMembers,
  schema: {
    ...place,
    summary: 'Add a note for other operators',
    body: Write,
    response: { 201: Note },
  },
} as const

const typing = {
  config: forMembers,
  schema: {
    ...place,
    summary: "Send the operator's typing indicator",
    body: Typing.nullish(),
    response: { 204: z.null() },
  },
} as const

const mark = {
  config: forMembers,
  schema: {
    ...place,
    summary: 'Mark messages as read by operators, up to one',
    body: ReadMark.nullish(),
    response: { 200: InboxSession },
  },
} as const

const takeAway = {
  config: { access: visitorsAndMembers('chat:message'), pool: 'default' },
  schema: {
    tags: ['Chat'],
    params: place.params,
    summary: 'Export all stored data of a conversation',
    response: { 200: SessionExport },
  },
} as const

/** Registers the operators' routes: all sessions of the workspace, and the actions on each. */
export function inboxRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/inbox/:session_id' as const

  app.get('/api/v1/inbox', list, async (request) =>
    readInbox(ctx, requireMember(request), request.query),
  )

  app.get(base, read, async (request) => {
    const session = await openSession(ctx, requireMember(request), request.params.session_id)
    const { limit, cursor } = request.query
    return readConversation(ctx, session, { limit, before: cursor })
  })

  app.post(`${base}/claim`, claim, async (request) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    return readInboxSession(ctx, await claimSession(ctx, caller, session))
  })

  app.post(`${base}/release`, release, async (request) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const to = request.body?.to ?? 'bot'
    return readInboxSession(ctx, await releaseSession(ctx, caller, { session, to }))
  })

  app.post(`${base}/close`, close, async (request) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    return readInboxSession(ctx, await closeSession(ctx, caller, session))
  })

  app.post(`${base}/messages`, write, async (request, reply) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const { text } = request.body
    const key = requestKeyOf(request, caller, `inbox/${session.id}/messages`, request.body)
    const replay = key && (await findReplay(ctx, key))
    if (replay !== undefined) {
      reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(InboxMessage.parse(JSON.parse(replay)))
    }
    return reply.code(201).send(await writeMessage(ctx, caller, { session, text, key }))
  })

  app.post(`${base}/notes`, note, async (request, reply) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const { text } = request.body
    return reply.code(201).send(await writeNote(ctx, caller, { session, text }))
  })

  app.post(`${base}/typing`, typing, async (request, reply) => {
    const caller = requireMember(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const operator = await toPerson(ctx, caller, session)
    broadcastTyping(ctx, session, { operator, isTyping: request.body?.is_typing ?? true })
    return reply.code(204).send(null)
  })

  app.post(`${base}/read`, mark, async (request) => {
    const session = await openSession(ctx, requireMember(request), request.params.session_id)
    const messageId = request.body?.message_id
    return readInboxSession(
      ctx,
      await markReadUpTo(ctx, session, { reader: 'operator', messageId }),
    )
  })

  app.get('/api/v1/chatbot/sessions/:session_id/export', takeAway, async (request, reply) => {
    await checkVisitorOrigin(ctx, request, reply)
    const session = await openSession(ctx, requireCaller(request), request.params.session_id)
    return exportSession(ctx, session)
  })

  triageRoutes(app, ctx)
  cannedReplyRoutes(app, ctx)
  feedbackRoutes(app, ctx)
}
