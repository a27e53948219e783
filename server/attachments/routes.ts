import { z } from 'zod'
import { checkVisitorSite, visitorClient } from '../chat/routes.visitor.ts'
import { HistoryMessage } from '../chat/schema.ts'
import { serializeMessage } from '../chat/session/messages.ts'
import { openSession, openTenant } from '../chat/session/sessions.ts'
import type { Context } from '../context.ts'
import { members, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { type Limits, siteClientKey } from '../http/rate-limits.ts'
import { Upload, acceptUploads } from '../http/requests/uploads.ts'
import { serializeInboxMessage } from '../inbox/conversations.ts'
import { InboxMessage } from '../inbox/schema.ts'
import { requireCaller, requireMember } from '../platform/auth/authenticator.ts'
import { MAX_ATTACHMENT_BYTES, receiveAttachment, sendAttachment } from './attachments.ts'
import { detectFileType } from './file-types.ts'
import { findAttachment } from './store.ts'

const SessionPath = z.object({ session_id: z.string().max(64) })
/** The file is the whole form. */
const Form = z.strictObject({})
const MAY_FAIL = ['forbidden', 'conflict', 'quota_exceeded', 'unsupported_media_type'] as const

const receive = {
  config: {
    access: visitorsAndMembers('chat:message'),
    pool: 'default',
    form: Form,
    mayFail: MAY_FAIL,
  },
  schema: {
    summary: 'Send a picture or a PDF file',
    tags: ['Chat'],
    params: SessionPath,
    response: { 201: HistoryMessage },
  },
} as const

const send = {
  config: { access: members('chat:manage'), pool: 'default', form: Form, mayFail: MAY_FAIL },
  schema: {
    summary: 'Send the visitor a picture or a PDF file',
    tags: ['Inbox'],
    params: SessionPath,
    response: { 201: InboxMessage },
  },
} as const

const read = {
  config: { access: visitorsAndMembers('chat:message'), pool: 'default' },
  schema: {
    summary: 'Get a file of a conversation',
    tags: ['Chat'],
    params: z.object({ attachment_id: z.string().max(64) }),
    produces: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'],
  },
} as const

/** Registers the routes of files in conversations. */
export async function attachmentRoutes(
  app: App,
  ctx: Context,
  { limits }: { limits: Limits },
): Promise<void> {
  await app.register(async (scope: App) => {
    await acceptUploads(scope, MAX_ATTACHMENT_BYTES)

    scope.post(
      '/api/v1/chatbot/sessions/:session_id/attachments',
      receive,
      async (request, reply) => {
        await checkVisitorSite(ctx, request, reply)
        const caller = requireCaller(request)
        const session = await openSession(ctx, caller, request.params.session_id)
        const tenant = await openTenant(ctx, caller, session.tenant_id)
        const upload = requireUpload(request.body)
        const client = visitorClient(request)
        if (client !== undefined) {
          await limits.count('visitor-files', siteClientKey(tenant.id, client), reply)
        }
        const message = await receiveAttachment(ctx, { tenant, session }, upload)
        return reply.code(201).send(serializeMessage(message))
      },
    )

    scope.post('/api/v1/inbox/:session_id/attachments', send, async (request, reply) => {
      const caller = requireMember(request)
      const session = await openSession(ctx, caller, request.params.session_id)
      const upload = requireUpload(request.body)
      const message = await sendAttachment(ctx, caller, { session, upload })
      return reply.code(201).send(serializeInboxMessage(message))
    })
  })

  app.get('/api/v1/attachments/:attachment_id', read, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const row = await findAttachment(ctx.db, request.params.attachment_id)
    if (!row) throw new AppError('not_found', 'This file does not exist.')
    await openSession(ctx, requireCaller(request), row.session_id)
    // The stored type is checked once more: a file that a browser shows must be a picture.
    const isPicture =
      row.media_type.startsWith('image/') && detectFileType(row.content) === row.media_type
    const name = encodeURIComponent(row.name).replaceAll("'", '%27')
    return reply
      .headers({
        'content-type': row.media_type,
        'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      .send(row.content)
  })
}

function requireUpload(body: unknown): Upload {
  if (body instanceof Upload) return body
  throw invalidFields([{ path: '/file', message: 'is missing: send a form with one file' }])
}
