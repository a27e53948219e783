import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { MANAGERS_ONLY } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { mailStrings, queueMail } from '../mail/mail.ts'
import { countUnsentMails } from '../mail/store.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import { findUser, getWorkspace } from '../platform/auth/store.ts'
import { checkEmbedding, checkModel } from './model-check.ts'
import { EmbeddingCheck, MailState, ModelCheck } from './schema.ts'

const tags = ['Workspace']
const config = { access: MANAGERS_ONLY, pool: 'default' } as const
const NoBody = z.strictObject({}).nullish()

const mail = {
  config,
  schema: {
    summary: "Get the state of the workspace's mails",
    tags,
    response: { 200: MailState },
  },
} as const

const testMail = {
  config: { ...config, mayFail: ['conflict', 'rate_limited'] },
  schema: {
    summary: 'Send a test mail to yourself',
    tags,
    body: NoBody,
    response: { 202: z.object({ to: z.string().describe('The address that it goes to') }) },
  },
} as const

const testModel = {
  config: { ...config, mayFail: ['rate_limited'] },
  schema: {
    summary: 'Test the stored models with one word each, at no charge',
    description: 'In the order in which they are tried. A failure is part of the answer.',
    tags,
    body: NoBody,
    response: { 200: z.object({ data: z.array(ModelCheck) }) },
  },
} as const

const testEmbedding = {
  config: { ...config, mayFail: ['rate_limited'] },
  schema: {
    summary: 'Test the embedding model with one vector, at no charge',
    description: 'A failure is part of the answer.',
    tags,
    body: NoBody,
    response: { 200: EmbeddingCheck },
  },
} as const

/** Registers the routes with which managers see whether mails and models work. */
export function checkRoutes(app: App, ctx: Context, { limits }: { limits: Limits }): void {
  app.get('/api/v1/workspace/mail', mail, async (request) => {
    const { waiting, failed } = await countUnsentMails(ctx.db, requireMember(request).workspaceId)
    const { smtpUrl, mailFrom } = ctx.config
    return {
      configured: smtpUrl !== undefined,
      sender: mailFrom?.address ?? null,
      waiting,
      failed,
    }
  })

  app.post('/api/v1/workspace/mail/test', testMail, async (request, reply) => {
    const { id, workspaceId } = requireMember(request)
    if (!ctx.config.smtpUrl) {
      throw new AppError('conflict', 'This installation cannot send mails: `SMTP_URL` is not set.')
    }
    await limits.count('auth', `mail-test:${id}`, reply)
    const user = await findUser(ctx.db, workspaceId, id)
    if (!user)
      throw new AppError('unauthenticated', 'The login of this token has ended. Sign in again.')
    await transaction(ctx, async (tx) => {
      const workspace = await getWorkspace(tx.db, workspaceId)
      const { language, test: words } = mailStrings(user.locale ?? workspace.locale)
      const text = words.text({ name: user.name, workspace: workspace.name })
      await queueMail(tx, { workspaceId, to: user.email, language, subject: words.subject, text })
    })
    return reply.code(202).send({ to: user.email })
  })

  app.post('/api/v1/workspace/model/test', testModel, async (request, reply) => {
    const { id, workspaceId } = requireMember(request)
    await limits.count('auth', `model-test:${id}`, reply)
    const { locale } = await getWorkspace(ctx.db, workspaceId)
    const models = await ctx.models.candidates(workspaceId)
    const checks = models.map((model) => checkModel(model, locale))
    return { data: await Promise.all(checks) }
  })

  app.post('/api/v1/workspace/embedding/test', testEmbedding, async (request, reply) => {
    const { id, workspaceId } = requireMember(request)
    await limits.count('auth', `embedding-test:${id}`, reply)
    return checkEmbedding(await ctx.embeddings.open(workspaceId))
  })
}
