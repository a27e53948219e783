import { z } from 'zod'
import type { Context } from '../context.ts'
import { visitorsAndManagers, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireCaller } from '../platform/auth/authenticator.ts'
import { eraseSession } from './session/erasure.ts'
import { saveRating } from './session/feedback.ts'
import { requestHandoff } from './handoff/handoff.ts'
import { markReadUpTo, broadcastTyping } from './session/read-receipts.ts'
import { checkVisitorOrigin, checkVisitorSite, visitorClient } from './routes.visitor.ts'
import {
  Feedback,
  GiveFeedback,
  Handoff,
  NoBody,
  ReadMark,
  SendTranscript,
  Typing,
} from './schema.ts'
import { openSession, openTenant } from './session/sessions.ts'
import { sendTranscript } from './session/transcript.ts'

const forVisitors = { access: visitorsAndMembers('chat:message'), pool: 'default' } as const
const place = { tags: ['Chat'], params: z.object({ session_id: z.string().max(64) }) }

const handoff = {
  config: { ...forVisitors, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Request a person',
    body: NoBody,
    response: { 200: Handoff },
  },
} as const

const typing = {
  config: forVisitors,
  schema: {
    ...place,
    summary: "Send the visitor's typing indicator",
    body: Typing.nullish(),
    response: { 204: z.null() },
  },
} as const

const read = {
  config: forVisitors,
  schema: {
    ...place,
    summary: 'Mark messages as read by the visitor, up to one',
    body: ReadMark.nullish(),
    response: { 204: z.null() },
  },
} as const

const feedback = {
  config: forVisitors,
  schema: {
    ...place,
    summary: 'Rate a message or the conversation',
    description: 'Answers 201 for the first rating, and 200 for one that replaces it.',
    body: GiveFeedback,
    response: { 200: Feedback, 201: Feedback },
  },
} as const

const transcript = {
  config: { ...forVisitors, mayFail: ['conflict'] },
  schema: {
    ...place,
    summary: 'Mail the conversation',
    description:
      'The text goes to an address that is proved: by a code that was mailed to it, or by the signed ' +
      'token of `identify`. Any other address gets a link to the conversation, for seven days.',
    body: SendTranscript,
    response: { 202: z.object({ session_id: z.string(), email: z.string() }) },
  },
} as const

const erase = {
  config: { access: visitorsAndManagers('chat:manage'), pool: 'default' },
  schema: { ...place, summary: 'Erase a conversation', response: { 204: z.null() } },
} as const

/** Registers a visitor's routes on a session, besides its messages. */
export function sessionRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/chatbot/sessions/:session_id' as const

  app.post(`${base}/handoff`, handoff, async (request, reply) => {
    await checkVisitorOrigin(ctx, request, reply)
    const caller = requireCaller(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    return requestHandoff(ctx, caller, { tenant, session })
  })

  app.post(`${base}/typing`, typing, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const session = await openSession(ctx, requireCaller(request), request.params.session_id)
    const isTyping = request.body?.is_typing ?? true
    if (session.state !== 'closed') broadcastTyping(ctx, session, { operator: undefined, isTyping })
    return reply.code(204).send(null)
  })

  app.post(`${base}/read`, read, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const session = await openSession(ctx, requireCaller(request), request.params.session_id)
    await markReadUpTo(ctx, session, { reader: 'visitor', messageId: request.body?.message_id })
    return reply.code(204).send(null)
  })

  app.post(`${base}/feedback`, feedback, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const session = await openSession(ctx, requireCaller(request), request.params.session_id)
    const { feedback: saved, isNew } = await saveRating(ctx, session, request.body)
    return reply.code(isNew ? 201 : 200).send(saved)
  })

  app.post(`${base}/transcript`, transcript, async (request, reply) => {
    await checkVisitorOrigin(ctx, request, reply)
    const caller = requireCaller(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    const tenant = await openTenant(ctx, caller, session.tenant_id)
    const { email } = request.body
    const client = visitorClient(request)
    await sendTranscript(ctx, { tenant, session, client }, email)
    return reply.code(202).send({ session_id: session.id, email })
  })

  app.delete(base, erase, async (request, reply) => {
    await checkVisitorOrigin(ctx, request, reply)
    const caller = requireCaller(request)
    const session = await openSession(ctx, caller, request.params.session_id)
    await eraseSession(ctx, session, caller.kind === 'visitor' ? undefined : actorOf(request))
    return reply.code(204).send(null)
  })
}
