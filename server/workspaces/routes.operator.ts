import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { readCredits, readUsedCredits } from '../credits/ledger.ts'
import { startMonth } from '../credits/month-rollover.ts'
import { parsePlanEnd } from '../credits/plan-changes.ts'
import { CreditsAnswer } from '../credits/schema.ts'
import { INSTALLATION } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { PageQuery, isoTime, pageSchema } from '../http/pagination.ts'
import { toPage } from '../lib/cursor.ts'
import { actorOf } from '../platform/audit/audit.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import { type WorkspaceRow, getWorkspace, listWorkspaces } from '../platform/auth/store.ts'
import { NewAddons, NewWorkspace, Workspace, WorkspacePatch } from './schema.ts'
import { countContents } from './store.ts'
import { addCredits, changeWorkspace, createWorkspace, suspendWorkspace } from './workspaces.ts'

const WorkspacePath = z.object({ ws_id: z.string().max(64) })
const installation = { access: INSTALLATION, pool: null } as const

const create = {
  config: { ...installation, mayFail: ['conflict'] },
  schema: {
    summary: 'Create a workspace with its owner',
    tags: ['Operator'],
    body: NewWorkspace,
    response: { 201: Workspace },
  },
} as const

const change = {
  config: { ...installation, mayFail: ['conflict'] },
  schema: {
    summary: 'Change plan or monthly credits, cancel the plan with the month, or suspend',
    tags: ['Operator'],
    params: WorkspacePath,
    body: WorkspacePatch,
    response: { 200: Workspace },
  },
} as const

const list = {
  config: installation,
  schema: {
    summary: 'Workspaces, newest first',
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
    summary: 'Add bought credits, once per reference',
    tags: ['Operator'],
    params: WorkspacePath,
    body: NewAddons,
    response: { 201: CreditsAnswer },
  },
} as const

/** The installation operator's routes, which open workspaces, change them and add credits. */
export function operatorRoutes(
  app: App,
  ctx: Context,
  { passwords }: { passwords: Passwords },
): void {
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
    return serializeWorkspace(ctx, await getWorkspace(ctx.db, request.params.ws_id))
  })

  app.patch('/api/v1/operator/workspaces/:ws_id', change, async (request) => {
    const { plan, monthly_credits, cancelled, suspended: isSuspended } = request.body
    const { ws_id: id } = request.params
    const actor = actorOf(request)
    const isOfPlan = [plan, monthly_credits, cancelled].some((value) => value !== undefined)
    if (isOfPlan) {
      await changeWorkspace(ctx, id, { plan, monthlyCredits: monthly_credits, cancelled, actor })
    }
    if (isSuspended !== undefined) await suspendWorkspace(ctx, id, { isSuspended, actor })
    return serializeWorkspace(ctx, await getWorkspace(ctx.db, id))
  })

  app.post('/api/v1/operator/workspaces/:ws_id/addons', addons, async (request, reply) => {
    await addCredits(ctx, request.params.ws_id, { ...request.body, actor: actorOf(request) })
    return reply.code(201).send(await readCredits(ctx, request.params.ws_id))
  })
}

async function serializeWorkspace(
  ctx: Context,
  workspace: WorkspaceRow,
): Promise<z.infer<typeof Workspace>> {
  const endsAt = await parsePlanEnd(ctx, workspace.id)
  const { used, ...credits } = await readUsedCredits(ctx, workspace.id)
  return {
    ws_id: workspace.id,
    name: workspace.name,
    plan: workspace.plan,
    locale: workspace.locale,
    credits,
    credits_used: used,
    ...(await countContents(ctx.db, workspace.id)),
    suspended: workspace.suspended_at !== null,
    ends_at: endsAt === null ? null : isoTime(endsAt),
    created_at: isoTime(workspace.created_at),
  }
}
