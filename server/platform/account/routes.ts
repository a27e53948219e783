import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PEOPLE_ONLY, PUBLIC } from '../../http/access.ts'
import { clientBlock, clientNetwork } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import { AppError } from '../../http/errors.ts'
import { PageQuery, pageSchema } from '../../http/pagination.ts'
import type { Limits } from '../../http/rate-limits.ts'
import { Upload, acceptUploads } from '../../http/requests/uploads.ts'
import { toPage } from '../../lib/cursor.ts'
import { actorOf } from '../audit/audit.ts'
import { requireMember } from '../auth/authenticator.ts'
import { clearCookies } from '../auth/cookies.ts'
import { revokeLogin } from '../auth/login-sessions.ts'
import type { Passwords } from '../auth/passwords.ts'
import { Email } from '../schema.ts'
import { changeAccount, changePicture, readAccount, serializeLoginPlace } from './account.ts'
import { confirmEmailChange, requestEmailChange } from './email-changes.ts'
import { openPasswordChecks } from './password-checks.ts'
import { twoFactorRoutes } from './routes.two-factor.ts'
import { OwnAccount, AccountPatch, EmailChange, EmailConfirmation, LoginPlace } from './schema.ts'
import { findLogin, findPicture, listLogins } from './store.ts'

const MAX_PICTURE_BYTES = 256_000
/** A picture never changes under its id. */
const PICTURE_CACHE = 'public, max-age=31536000, immutable'
const tags = ['Account']
const config = { access: PEOPLE_ONLY, pool: 'default' } as const

const read = {
  config,
  schema: { summary: 'Get your own account', tags, response: { 200: OwnAccount } },
} as const

const change = {
  config,
  schema: {
    summary: 'Change your name, language or time zone',
    tags,
    body: AccountPatch,
    response: { 200: OwnAccount },
  },
} as const

const changeEmail = {
  config: { ...config, mayFail: ['conflict', 'rate_limited'] },
  schema: {
    summary: 'Request a change of your e-mail address; a link is mailed to the new one',
    description: 'The address changes when the link is opened, within a day.',
    tags,
    body: EmailChange,
    response: { 202: z.object({ pending_email: Email }) },
  },
} as const

const confirmEmail = {
  config: {
    access: PUBLIC,
    pool: 'open',
    mayFail: ['unauthenticated', 'conflict', 'rate_limited'],
  },
  schema: {
    summary: 'Confirm an address with the token from the mail',
    tags,
    body: EmailConfirmation,
    response: { 200: z.object({ email: Email }) },
  },
} as const

const setPicture = {
  config: {
    ...config,
    form: z.object({}),
    mayFail: ['unsupported_media_type', 'payload_too_large', 'validation_failed'],
  },
  schema: {
    summary: 'Set your picture: PNG, JPEG or WebP, up to 256 KB',
    tags,
    response: { 200: OwnAccount },
  },
} as const

const removePicture = {
  config,
  schema: { summary: 'Remove your picture', tags, response: { 204: z.null() } },
} as const

const picture = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['not_found'] },
  schema: {
    summary: 'A picture by its id, which nobody can guess',
    tags,
    params: z.object({ picture_id: z.string().max(64) }),
    produces: ['image/png', 'image/jpeg', 'image/webp'],
  },
} as const

const sessions = {
  config,
  schema: {
    summary: 'List your logins, newest first',
    tags,
    querystring: PageQuery,
    response: { 200: pageSchema(LoginPlace) },
  },
} as const

const endSession = {
  config: { ...config, mayFail: ['not_found'] },
  schema: {
    summary: 'End a login: its tokens and open streams end at once',
    tags,
    params: z.object({ session_id: z.string().max(64) }),
    response: { 204: z.null() },
  },
} as const

/** A member's own account: profile, address, picture, logins and second factor. */
export function profileRoutes(
  app: App,
  ctx: Context,
  parts: { passwords: Passwords; limits: Limits },
): void {
  const checks = openPasswordChecks(ctx, parts)
  const { limits } = parts

  app.get('/api/v1/account', read, async (request) => readAccount(ctx, requireMember(request)))

  app.patch('/api/v1/account', change, async (request) => {
    const member = requireMember(request)
    await changeAccount(ctx, member, { patch: request.body, actor: actorOf(request) })
    return readAccount(ctx, member)
  })

  app.post('/api/v1/account/email', changeEmail, async (request, reply) => {
    const { email, password } = request.body
    const user = await checks.requirePassword(request, reply, password)
    await limits.count('email-change', user.id, reply)
    await requestEmailChange(ctx, user, { email, actor: actorOf(request) })
    return reply.code(202).send({ pending_email: email })
  })

  app.post('/api/v1/account/email/confirm', confirmEmail, async (request, reply) => {
    await limits.count('auth', `confirm-email:${clientNetwork(request)}`, reply)
    const { token } = request.body
    return { email: await confirmEmailChange(ctx, { token, address: clientBlock(request) }) }
  })

  void app.register(async (forms: App) => {
    await acceptUploads(forms, MAX_PICTURE_BYTES)

    forms.put('/api/v1/account/picture', setPicture, async (request) => {
      const member = requireMember(request)
      const form: unknown = request.body
      if (!(form instanceof Upload)) {
        throw new AppError(
          'unsupported_media_type',
          'Send the picture as `multipart/form-data`, in the field `file`.',
        )
      }
      await changePicture(ctx, member, { bytes: form.bytes, actor: actorOf(request) })
      return readAccount(ctx, member)
    })
  })

  app.delete('/api/v1/account/picture', removePicture, async (request, reply) => {
    const member = requireMember(request)
    await changePicture(ctx, member, { bytes: undefined, actor: actorOf(request) })
    return reply.code(204).send(null)
  })

  app.get('/api/v1/pictures/:picture_id', picture, async (request, reply) => {
    const row = await findPicture(ctx.db, request.params.picture_id)
    if (!row) throw new AppError('not_found', 'This picture does not exist.')
    return reply
      .headers({
        'cache-control': PICTURE_CACHE,
        'content-security-policy': "default-src 'none'; sandbox",
        // The widget shows operators on pages of other origins.
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(row.media_type)
      .send(Buffer.from(row.data, 'base64'))
  })

  app.get('/api/v1/account/sessions', sessions, async (request) => {
    const { limit, cursor } = request.query
    const { id, workspaceId, familyId } = requireMember(request)
    const user = { id, workspaceId, now: ctx.now() }
    const rows = await listLogins(ctx.db, user, { limit, after: cursor })
    return toPage(
      rows,
      limit,
      (row) => ({ at: row.created_at, id: row.id }),
      (row) => serializeLoginPlace(row, familyId),
    )
  })

  app.delete('/api/v1/account/sessions/:session_id', endSession, async (request, reply) => {
    const { id, workspaceId, familyId } = requireMember(request)
    const user = { id, workspaceId, now: ctx.now() }
    const login = await findLogin(ctx.db, user, request.params.session_id)
    if (!login) throw new AppError('not_found', 'This login has already ended.')
    await revokeLogin(ctx, actorOf(request), { id: login.id, workspaceId })
    if (login.id === familyId) clearCookies(ctx, reply)
    return reply.code(204).send(null)
  })

  twoFactorRoutes(app, ctx, checks)
}
