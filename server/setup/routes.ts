import type { z } from 'zod'
import type { Context } from '../context.ts'
import { PUBLIC } from '../http/access.ts'
import { clientBlock, clientNetwork } from '../http/addresses.ts'
import type { App } from '../http/app-type.ts'
import type { Limits } from '../http/rate-limits.ts'
import { describeDevice } from '../lib/device.ts'
import { setCookies } from '../platform/auth/cookies.ts'
import { createLogin } from '../platform/auth/login-sessions.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import type { Tokens } from '../platform/auth/tokens.ts'
import { Me } from '../workspaces/schema.ts'
import { createFirstOwner } from './first-run.ts'
import { FirstOwner, SetupState } from './schema.ts'
import { hasUsers } from './store.ts'

const tags = ['Setup']

const state = {
  config: { access: PUBLIC, pool: 'open' },
  schema: {
    summary: 'Get whether the installation has no owner yet',
    tags,
    response: { 200: SetupState },
  },
} as const

const complete = {
  config: { access: PUBLIC, pool: 'open', mayFail: ['unauthenticated', 'rate_limited'] },
  schema: {
    summary: 'Create the first owner, with the link printed at the start',
    description: 'Signs in as `auth/login` does: the tokens come as cookies.',
    tags,
    body: FirstOwner,
    response: { 201: Me },
  },
} as const

interface SetupParts {
  tokens: Tokens
  passwords: Passwords
  limits: Limits
  /** Returns the body of `auth/me`. */
  showMe: (ctx: Context, user: { id: string; workspaceId: string }) => Promise<z.infer<typeof Me>>
}

/** Registers the routes of the first run. */
export function setupRoutes(
  app: App,
  ctx: Context,
  { tokens, passwords, limits, showMe }: SetupParts,
): void {
  app.get('/api/v1/setup', state, async () => ({ open: !(await hasUsers(ctx.db)) }))

  app.post('/api/v1/setup', complete, async (request, reply) => {
    await limits.count('auth', `setup:${clientNetwork(request)}`, reply)
    const address = clientBlock(request)
    const owner = await createFirstOwner(ctx, passwords, { ...request.body, address })
    const device = describeDevice(request.headers['user-agent'])
    const from = { address, device, way: 'setup' as const, failures: 0 }
    const session = await createLogin(ctx, tokens, owner, from)
    const me = await showMe(ctx, { id: owner.id, workspaceId: owner.workspace_id })
    setCookies(ctx, reply, session)
    return reply.code(201).send(me)
  })
}
