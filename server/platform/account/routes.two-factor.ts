import { z } from 'zod'
import type { Context, Transaction } from '../../context.ts'
import { PEOPLE_ONLY } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { actorOf } from '../audit/audit.ts'
import { sendTwoFactorMail } from '../auth/account-mails.ts'
import { requireMember } from '../auth/authenticator.ts'
import { type UserRow, findUser, findWorkspace } from '../auth/store.ts'
import { unauthenticated } from '../auth/tokens.ts'
import {
  confirmTwoFactor,
  removeTwoFactor,
  replaceRecoveryCodes,
  startTwoFactor,
} from '../two-factor/two-factor.ts'
import type { PasswordChecks } from './password-checks.ts'
import { PasswordAgain, RecoveryCodes, TwoFactorCode, TwoFactorSecret } from './schema.ts'

const tags = ['Account']
const config = {
  access: PEOPLE_ONLY,
  pool: 'default',
  mayFail: ['conflict', 'rate_limited'],
} as const

const start = {
  config,
  schema: {
    summary: 'Create a secret for an authenticator app (TOTP, RFC 6238)',
    description: 'Signing in needs a code once the secret is confirmed with a first one.',
    tags,
    body: PasswordAgain,
    response: { 201: TwoFactorSecret },
  },
} as const

const confirm = {
  config,
  schema: {
    summary: 'Switch codes on with the first one',
    tags,
    body: TwoFactorCode,
    response: { 200: RecoveryCodes },
  },
} as const

const remove = {
  config,
  schema: {
    summary: 'Switch codes off; recovery codes end too',
    tags,
    body: PasswordAgain,
    response: { 204: z.null() },
  },
} as const

const renew = {
  config,
  schema: {
    summary: 'Get new recovery codes; the old ones end',
    tags,
    body: PasswordAgain,
    response: { 200: RecoveryCodes },
  },
} as const

/** The second factor of a member's own account. */
export function twoFactorRoutes(app: App, ctx: Context, checks: PasswordChecks): void {
  const base = '/api/v1/account/two-factor'
  const person = ({ id, workspace_id, email }: UserRow) => ({
    id,
    workspaceId: workspace_id,
    email,
  })

  app.post(base, start, async (request, reply) => {
    const user = await checks.requirePassword(request, reply, request.body.password)
    return reply.code(201).send(await startTwoFactor(ctx, person(user)))
  })

  app.post(`${base}/confirm`, confirm, async (request, reply) => {
    await checks.countGuess(request, reply)
    const { id, workspaceId } = requireMember(request)
    const user = await findUser(ctx.db, workspaceId, id)
    if (!user) throw unauthenticated('The session behind this token has ended.')
    const { code } = request.body
    const change = { code, actor: actorOf(request), notify: notifierOf(user, true) }
    return { recovery_codes: await confirmTwoFactor(ctx, person(user), change) }
  })

  app.delete(base, remove, async (request, reply) => {
    const user = await checks.requirePassword(request, reply, request.body.password)
    const change = { actor: actorOf(request), notify: notifierOf(user, false) }
    await removeTwoFactor(ctx, person(user), change)
    return reply.code(204).send(null)
  })

  app.post(`${base}/recovery-codes`, renew, async (request, reply) => {
    const user = await checks.requirePassword(request, reply, request.body.password)
    return { recovery_codes: await replaceRecoveryCodes(ctx, person(user), actorOf(request)) }
  })
}

/** Returns what queues a mail about the change, so that the user can react to a change by others. */
function notifierOf(user: UserRow, isOn: boolean): (tx: Transaction) => Promise<void> {
  return async (tx) => {
    const { workspace_id: workspaceId, email: to, name } = user
    const workspace = await findWorkspace(tx.db, workspaceId)
    const locale = user.locale ?? workspace?.locale ?? 'en'
    await sendTwoFactorMail(tx, { workspaceId, locale, to, name }, isOn)
  }
}
