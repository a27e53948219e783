import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { OWNERS_ONLY } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { AppError, invalidFields } from '../http/errors.ts'
import type { Limits } from '../http/rate-limits.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { requireMember } from '../platform/auth/authenticator.ts'
import type { Passwords } from '../platform/auth/passwords.ts'
import { type UserRow, findUser } from '../platform/auth/store.ts'
import { closeWorkspace, reopenWorkspace } from './closing.ts'
import { exportWorkspace } from './export.ts'
import { CloseWorkspace, Closing, ExportPlace } from './schema.ts'
import { onResponseClosed } from '../http/response-closed.ts'

const EXPORT_PATH = '/api/v1/workspace/export'
const tags = ['Workspace']
const config = { access: OWNERS_ONLY, pool: 'default' } as const
/** When a second export may be asked for while one is under way. */
const EXPORT_RETRY_SECONDS = 30
const NoBody = z.strictObject({}).nullish()

const prepare = {
  config,
  schema: {
    summary: "Get the address of the workspace's export",
    tags,
    body: NoBody,
    response: { 202: ExportPlace },
  },
} as const

const download = {
  config: { ...config, mayFail: ['rate_limited'] },
  // A HEAD request would read everything for nothing.
  exposeHeadRoute: false,
  schema: {
    summary: 'Export the workspace as a ZIP of JSON and CSV files, without secrets',
    tags,
    produces: ['application/zip'],
  },
} as const

const close = {
  config,
  schema: {
    summary: 'Close the workspace: switch all sites off, and erase everything after 14 days',
    tags,
    body: CloseWorkspace,
    response: { 200: Closing },
  },
} as const

const reopen = {
  config: { ...config, mayFail: ['conflict'] },
  schema: {
    summary: 'Reopen a closed workspace, with the sites that were on',
    tags,
    body: NoBody,
    response: { 204: z.null() },
  },
} as const

/** Registers the routes with which an owner takes a workspace away, or closes it. */
export function closingRoutes(
  app: App,
  ctx: Context,
  { passwords, limits }: { passwords: Passwords; limits: Limits },
): void {
  app.post(EXPORT_PATH, prepare, async (_request, reply) =>
    reply.code(202).send({ url: EXPORT_PATH }),
  )

  const exporting = new Set<string>()

  app.get(EXPORT_PATH, download, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    if (exporting.has(workspaceId)) {
      throw new AppError('rate_limited', 'An export of this workspace is under way. Wait for it.', {
        headers: { 'retry-after': String(EXPORT_RETRY_SECONDS) },
      })
    }
    exporting.add(workspaceId)
    onResponseClosed(reply.raw, () => exporting.delete(workspaceId))
    await limits.count('export', workspaceId, reply)
    await transaction(ctx, (tx) =>
      recordAudit(tx, workspaceId, { actor: actorOf(request), action: 'workspace.exported' }),
    )
    const day = new Date(ctx.now()).toISOString().slice(0, 10)
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="sohbet-${day}.zip"`)
      .send(Readable.from(exportWorkspace(ctx, workspaceId)))
  })

  app.post('/api/v1/workspace/close', close, async (request, reply) => {
    const { id, workspaceId } = requireMember(request)
    await limits.count('auth', `password:${id}`, reply)
    const user = await checkPassword(request, request.body.password)
    const actor = actorOf(request)
    return { closes_at: await closeWorkspace(ctx, workspaceId, { actor, by: user.name }) }
  })

  app.post('/api/v1/workspace/reopen', reopen, async (request, reply) => {
    await reopenWorkspace(ctx, requireMember(request).workspaceId, actorOf(request))
    return reply.code(204).send(null)
  })

  async function checkPassword(request: FastifyRequest, password: string): Promise<UserRow> {
    const { id, workspaceId } = requireMember(request)
    const user = await findUser(ctx.db, workspaceId, id)
    if (user && (await passwords.isRight(password, user.password_hash))) return user
    throw invalidFields([{ path: '/password', message: 'is not your password' }])
  }
}
