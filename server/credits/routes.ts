import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { ANY_USER, INSTALLATION, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError } from '../http/errors.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import { type WorkspaceRow, findWorkspace, listWorkspaces } from '../platform/auth/store.ts'
import { readCredits } from './ledger.ts'
import { serializeMe } from '../workspaces/me.ts'
import { startMonth } from './month-begin.ts'
import { ledgerRoutes } from './routes.ledger.ts'
import { usageRoutes } from './routes.usage.ts'
import { parsePlanEnd } from './plan-changes.ts'
import { CreditsAnswer, Me, NewAddons, NewWorkspace, Workspace, WorkspacePatch } from './schema.ts'
import { addCredits, changeWorkspace, createWorkspace } from '../workspaces/workspaces.ts'

const me = {
  config: { access: ANY_USER, pool: 'default' },
  schema: { summary: 'Who calls, and what is left', tags: ['Auth'], response: { 200: Me } },
} as const

const credits = {
  config: { access: members('credits:read'), pool: 'default' },
  schema: { summary: 'Credits now', tags: ['Credits'], response: { 200: CreditsAnswer } },
} as const

const WorkspacePath = z.object({ ws_id: z.string().max(64) })
const installation = { access: INSTALLATION, pool: null } as const

const create = {
  config: { ...installation, mayFail: ['conflict'] },
  schema: {
    summary: 'Open a workspace with its owner',
    tags: ['Operator'],
    body: NewWorkspace,
    response: { 201: Workspace },
  },
} as const

const change = {
  config: { ...installation, mayFail: ['conflict'] },
  schema: {
    summary: 'Change the plan or the monthly credits, or cancel the plan with the end of the month',
    tags: ['Operator'],
    params: WorkspacePath,
    body: WorkspacePatch,
    response: { 200: Workspace },
  },
} as const

const list = {
  config: installation,
  schema: {
    summary: 'Workspaces, new ones first',
    tags: ['Operator'],
    querystring: PageQuery,
    response: { 200: pageSchema(Workspace) },
  },
} as const

const read = {
  config: installation,
  schema: {
    summary: 'One workspace',
    tags: ['Operator'],
    params: WorkspacePath,
    response: { 200: Workspace },
  },
} as const

const addons = {
  config: installation,
  schema: {
    summary: 'Add bought credits; the same reference twice counts once',
    tags: ['Operator'],
    params: WorkspacePath,
    body: NewAddons,
    response: { 201: CreditsAnswer },
  },
} as const

/** Credits of a workspace, and the operator's routes that open workspaces and give credits. */
export function creditRoutes(
  app: App,
  ctx: Context,
  { passwords }: { passwords: Passwords },
): void {
  app.get('/api/v1/auth/me', me, async (request) => serializeMe(ctx, requireMember(request)))

  app.get('/api/v1/credits', credits, async (request) =>
    readCredits(ctx, requireMember(request).workspaceId),
  )

  app.post('/api/v1/operator/workspaces', create, async (request, reply) => {
    const { name, plan, locale, owner, monthly_credits } = request.body
    const passwordHash = await passwords.hash(owner.password)
    const opened = await transaction(ctx, (tx) =>
      createWorkspace(tx, {
        name,
        plan,
        locale,
        timeZone: 'Europe/Istanbul',
        monthlyCredits: monthly_credits,
        owner: { email: owner.email, name: owner.name, passwordHash },
      }),
    )
    const shown = await serializeWorkspace(ctx, opened.workspace)
    const { id, email, name: ownerName } = opened.owner ?? { id: '', ...owner }
    return reply.code(201).send({ ...shown, owner: { id, email, name: ownerName } })
  })

  app.get('/api/v1/operator/workspaces', list, async (request) => {
    const { limit, cursor } = request.query
    const rows = await listWorkspaces(ctx.db, { limit, after: cursor })
    const page = toPage(
      rows,
      limit,
      (row) => ({ at: row.created_at, id: row.id }),
      (row) => row,
    )
    const data = await Promise.all(page.data.map((row) => serializeWorkspace(ctx, row)))
    return { data, next_cursor: page.next_cursor }
  })

  app.get('/api/v1/operator/workspaces/:ws_id', read, async (request) => {
    await startMonth(ctx, request.params.ws_id)
    const workspace = await findWorkspace(ctx.db, request.params.ws_id)
    if (!workspace) throw new AppError('not_found', 'There is no such workspace.')
    return serializeWorkspace(ctx, workspace)
  })

  app.patch('/api/v1/operator/workspaces/:ws_id', change, async (request) => {
    const { plan, monthly_credits, cancelled } = request.body
    const workspace = await changeWorkspace(ctx, request.params.ws_id, {
      plan,
      monthlyCredits: monthly_credits,
      cancelled,
      actor: actorOf(request),
    })
    return serializeWorkspace(ctx, workspace)
  })

  app.post('/api/v1/operator/workspaces/:ws_id/addons', addons, async (request, reply) => {
    await addCredits(ctx, request.params.ws_id, { ...request.body, actor: actorOf(request) })
    return reply.code(201).send(await readCredits(ctx, request.params.ws_id))
  })

  ledgerRoutes(app, ctx)
  usageRoutes(app, ctx)
}

async function serializeWorkspace(
  ctx: Context,
  workspace: WorkspaceRow,
): Promise<z.infer<typeof Workspace>> {
  const endsAt = await parsePlanEnd(ctx, workspace.id)
  return {
    ws_id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    locale: workspace.locale,
    credits: await readCredits(ctx, workspace.id),
    ends_at: endsAt === null ? null : isoTime(endsAt),
    created_at: isoTime(workspace.created_at),
  }
}
