import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { LANGUAGES } from '../lib/text/language.ts'
import { toPage } from '../lib/cursor.ts'
import { standardSecret } from '../lib/standard-webhooks.ts'
import { managers, members } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import { isoTime, PageQuery, pageSchema } from '../http/pagination.ts'
import { loadTenant, TenantPath } from '../knowledge/documents/load-tenant.ts'
import { type Actor, actorOf } from '../platform/audit/audit.ts'
import { requireMember, type UserCaller } from '../platform/auth/authenticator.ts'
import {
  addActions,
  auditAction,
  changeAction,
  removeAction,
  rotateActionSecret,
  serializeAction,
  serializeAdded,
} from './actions.ts'
import { fillText, inLanguage } from './answer-text.ts'
import { newCall, performCall, serializeCall } from './calls.ts'
import { loadAction } from './definition.ts'
import { readOperations } from './openapi-import.ts'
import {
  Action,
  ActionCall,
  ActionPatch,
  ActionTest,
  CreatedAction,
  ImportActions,
  ImportedActions,
  MAX_ACTIONS,
  NewAction,
  RotatedActionSecret,
  TestAction,
} from './schema.ts'
import { MASK, sealedHeaders, signedRequest } from './signed-request.ts'
import { type ActionRow, countActions, findAction, listActions } from './store.ts'
import { insertCall, listCalls } from './store.calls.ts'

const tags = ['Actions']
const forManagers = { access: managers('chat:manage'), pool: 'default' } as const
const forMembers = { access: members('chat:manage'), pool: 'default' } as const
const ActionPath = TenantPath.extend({ action_id: z.string().max(64).describe('The action.') })

const create = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: "Make an action: what the assistant may ask a site's own system",
    description:
      'The signing secret is shown in this answer only. An action is used once it is `active`.',
    tags,
    params: TenantPath,
    body: NewAction,
    response: { 201: CreatedAction },
  },
} as const

const list = {
  config: forMembers,
  schema: {
    summary: 'List the actions of a site, new ones first',
    tags,
    params: TenantPath,
    querystring: PageQuery,
    response: { 200: pageSchema(Action) },
  },
} as const

const read = {
  config: forMembers,
  schema: { summary: 'One action', tags, params: ActionPath, response: { 200: Action } },
} as const

const change = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Change an action',
    description: 'Ends the dialogs of visitors about it. `headers` adds and replaces single ones.',
    tags,
    params: ActionPath,
    body: ActionPatch,
    response: { 200: Action },
  },
} as const

const remove = {
  config: forManagers,
  schema: {
    summary: 'Delete an action with its log of calls',
    tags,
    params: ActionPath,
    response: { 204: z.null() },
  },
} as const

const rotate = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Replace the signing secret; the old one signs beside it for 24 hours',
    tags,
    params: ActionPath,
    body: z.strictObject({}).nullish(),
    response: { 200: RotatedActionSecret },
  },
} as const

const tryOut = {
  config: forManagers,
  schema: {
    summary: 'Call the service once as a visitor would, and see the request and the answer',
    description:
      'The request is really sent, whether the action is active or not, and without a confirmation: ' +
      'an action that changes something changes it. It costs nothing and is kept in the calls.',
    tags,
    params: ActionPath,
    body: TestAction,
    response: { 200: ActionTest },
  },
} as const

const importThem = {
  config: { ...forManagers, mayFail: ['conflict'] },
  schema: {
    summary: 'Make inactive actions of the operations of an OpenAPI document',
    tags,
    params: TenantPath,
    body: ImportActions,
    response: { 201: ImportedActions },
  },
} as const

const calls = {
  config: forMembers,
  schema: {
    summary: 'The calls of the last 30 days with their attempts, new ones first',
    tags,
    params: ActionPath,
    querystring: PageQuery,
    response: { 200: pageSchema(ActionCall) },
  },
} as const

/** Registers the management of a site's actions. */
export function actionRoutes(app: App, ctx: Context): void {
  const base = '/api/v1/tenants/:tenant_id/actions'

  app.post(base, create, async (request, reply) => {
    const place = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const [added] = await addActions(ctx, { place, actor: actorOf(request) }, [request.body])
    if (!added) throw new Error('An action was not added.')
    return reply.code(201).send(serializeAdded(added))
  })

  app.get(base, list, async (request) => {
    const place = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const { limit, cursor } = request.query
    const rows = await listActions(ctx.db, place, { limit, after: cursor })
    return toPage(rows, limit, (row) => ({ at: row.created_at, id: row.id }), serializeAction)
  })

  app.post(`${base}/import`, importThem, async (request, reply) => {
    const place = await loadTenant(ctx, requireMember(request), request.params.tenant_id)
    const room = MAX_ACTIONS - (await transaction(ctx, (tx) => countActions(tx.db, place)))
    const { actions, skipped } = readOperations(request.body, room)
    const added = await addActions(ctx, { place, actor: actorOf(request) }, actions)
    return reply.code(201).send({ data: added.map(serializeAdded), skipped })
  })

  app.get(`${base}/:action_id`, read, async (request) =>
    serializeAction(await load(requireMember(request), request.params)),
  )

  app.patch(`${base}/:action_id`, change, async (request) => {
    const row = await load(requireMember(request), request.params)
    return serializeAction(await changeAction(ctx, { row, actor: actorOf(request) }, request.body))
  })

  app.delete(`${base}/:action_id`, remove, async (request, reply) => {
    const row = await load(requireMember(request), request.params)
    await removeAction(ctx, { row, actor: actorOf(request) })
    return reply.code(204).send(null)
  })

  app.post(`${base}/:action_id/rotate-secret`, rotate, async (request) => {
    const row = await load(requireMember(request), request.params)
    const { secret, previousUntil } = await rotateActionSecret(ctx, {
      row,
      actor: actorOf(request),
    })
    return {
      action_id: row.id,
      secret,
      standard_secret: standardSecret(secret),
      previous_valid_until: isoTime(previousUntil),
    }
  })

  app.post(`${base}/:action_id/test`, tryOut, async (request) => {
    const row = await load(requireMember(request), request.params)
    return testAction(row, request.body, actorOf(request))
  })

  app.get(`${base}/:action_id/calls`, calls, async (request) => {
    const row = await load(requireMember(request), request.params)
    const { limit, cursor } = request.query
    const place = { workspaceId: row.workspace_id, actionId: row.id }
    const rows = await listCalls(ctx.db, place, { limit, after: cursor })
    return toPage(rows, limit, (call) => ({ at: call.created_at, id: call.id }), serializeCall)
  })

  async function testAction(
    row: ActionRow,
    { inputs, visitor: sub }: TestAction,
    actor: Actor,
  ): Promise<ActionTest> {
    const visitor = sub ?? null
    const action = loadAction(ctx, row)
    if (!action) throw new AppError('conflict', 'This action is of an older form. Save it again.')
    const key = `${row.id}:${row.updated_at}`
    const { schemas, userAgent } = ctx.actionCalls
    const errors = (await schemas.checkOf(key, action.definition.inputs_schema))(inputs)
    if (errors.length > 0) throw invalidFields(errors)
    const call = newCall(ctx, action, inputs, { sessionId: null, messageId: null, visitor })
    const sent = signedRequest(ctx, action, { id: call.id, inputs, visitor }, userAgent)
    if (!sent) {
      const message =
        'has an input that cannot stand in the path: empty, or with “/”, “..” and such'
      throw invalidFields([{ path: '/inputs', message }])
    }
    await transaction(ctx, async (tx) => {
      await insertCall(tx.db, call)
      await auditAction(tx, row, { actor, action: 'action.tested' })
    })
    const ended = serializeCall(await performCall(ctx, action, { row: call, inputs, visitor }))
    const { shown } = ended
    const secret = new Set(Object.keys(sealedHeaders(row)))
    const headers = Object.fromEntries(
      Object.entries(sent.headers).map(([name, value]) => [name, secret.has(name) ? MASK : value]),
    )
    const { say } = action.definition.answer
    return {
      call_id: ended.call_id,
      state: ended.state,
      request: { method: sent.method, url: sent.url, headers, body: sent.body },
      error: ended.error,
      shown,
      said: shown
        ? Object.fromEntries(LANGUAGES.map((one) => [one, fillText(inLanguage(say, one), shown)]))
        : {},
      attempts: ended.attempts,
    }
  }

  async function load(
    caller: UserCaller,
    { tenant_id, action_id }: z.infer<typeof ActionPath>,
  ): Promise<ActionRow> {
    const place = await loadTenant(ctx, caller, tenant_id)
    const row = await findAction(ctx.db, place, action_id)
    if (!row) throw new AppError('not_found', 'This action does not exist.')
    return row
  }
}
