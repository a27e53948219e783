import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { PUBLIC } from '../../http/access.ts'
import { clientBlock, clientNetwork } from '../../http/addresses.ts'
import type { App } from '../../http/app-type.ts'
import { parseForms } from '../../http/bodies.ts'
import { AppError, STATUS_OF } from '../../http/errors.ts'
import type { Limits } from '../../http/rate-limits.ts'
import {
  ACCOUNT_PAGE_POLICY,
  type AccountPageResult,
  type AccountPageKind,
  accountPage,
} from './account-page.ts'
import { acceptInvitation } from './invitations.ts'
import { requestPasswordReset, confirmReset } from '../auth/password-resets.ts'
import type { Passwords } from '../auth/passwords.ts'
import { Acceptance, ResetConfirmation, ResetRequest } from '../schema.ts'

const MAX_FORM = 4_096
/** Errors that the reader of the page can correct; other errors are problem documents. */
const Shown = z.enum(['unauthenticated', 'validation_failed', 'conflict', 'rate_limited'])
const Fields = z.record(z.string(), z.string())

const config = { access: PUBLIC, pool: 'open' } as const
const show = { config, schema: { hide: true } } as const
const send = { config, schema: { hide: true, body: Fields } } as const

/** Registers the pages behind the links in mails about passwords and invitations. */
export function accountPageRoutes(
  app: App,
  ctx: Context,
  { passwords, limits }: { passwords: Passwords; limits: Limits },
): void {
  void app.register(async (pages: App) => {
    parseForms(pages, MAX_FORM)

    pages.get('/panel/password', show, async (request, reply) =>
      sendPage(request, reply, { kind: 'password', outcome: undefined }),
    )

    pages.post('/panel/password', send, async (request, reply) => {
      const { body } = request
      const doing = 'email' in body ? renderRetry(request, reply) : setPassword(request, reply)
      return sendPage(request, reply, { kind: 'password', outcome: await outcomeOf(doing, reply) })
    })

    pages.get('/panel/invitation', show, async (request, reply) =>
      sendPage(request, reply, { kind: 'invitation', outcome: undefined }),
    )

    pages.post('/panel/invitation', send, async (request, reply) => {
      const outcome = await outcomeOf(joinWorkspace(request, reply), reply)
      return sendPage(request, reply, { kind: 'invitation', outcome })
    })
  })

  async function renderRetry(request: FastifyRequest, reply: FastifyReply): Promise<'mailed'> {
    const { email } = parseForm(ResetRequest, request.body)
    await limits.count('auth', `reset:${clientNetwork(request)}`, reply)
    await limits.count('auth', `reset-email:${email}`, reply)
    await requestPasswordReset(ctx, email)
    return 'mailed'
  }

  async function setPassword(request: FastifyRequest, reply: FastifyReply): Promise<'done'> {
    const { token, password } = Fields.parse(request.body)
    const given = parseForm(ResetConfirmation, { token, new_password: password })
    await limits.count('auth', `confirm:${clientNetwork(request)}`, reply)
    const address = clientBlock(request)
    const { new_password: newPassword } = given
    await confirmReset(ctx, passwords, { token: given.token, newPassword, address })
    return 'done'
  }

  async function joinWorkspace(request: FastifyRequest, reply: FastifyReply): Promise<'done'> {
    const { name = '', ...rest } = Fields.parse(request.body)
    const given = parseForm(Acceptance, name.trim() === '' ? rest : { ...rest, name })
    await limits.count('auth', `accept:${clientNetwork(request)}`, reply)
    const { token, password } = given
    const address = clientBlock(request)
    await acceptInvitation(ctx, passwords, { token, name: given.name, password, address })
    return 'done'
  }
}

/** Throws 422 for invalid fields. */
function parseForm<Output>(schema: z.ZodType<Output>, given: unknown): Output {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('validation_failed', 'The form does not fit.')
}

async function outcomeOf(
  doing: Promise<'done' | 'mailed'>,
  reply: FastifyReply,
): Promise<AccountPageResult> {
  try {
    return await doing
  } catch (error) {
    const code = error instanceof AppError ? Shown.safeParse(error.code).data : undefined
    if (!(error instanceof AppError) || !code) throw error
    reply.code(STATUS_OF[code]).headers(error.headers)
    return code
  }
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, outcome }: { kind: AccountPageKind; outcome: AccountPageResult },
): FastifyReply {
  const language = request.headers['accept-language'] ?? 'en'
  const mayTryAgain = outcome === 'validation_failed' || outcome === 'rate_limited'
  const values = mayTryAgain ? Fields.parse(request.body) : {}
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': ACCOUNT_PAGE_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(accountPage(kind, { language, outcome, values }))
}
