import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Context, transaction } from '../context.ts'
import { managers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { assertOwned } from '../http/errors.ts'
import { actorOf, recordAudit } from '../platform/audit/audit.ts'
import { type UserCaller, requireMember } from '../platform/auth/authenticator.ts'
import { eraseVisitor } from './erasure.ts'
import { VisitorExport } from './schema.ts'
import { exportVisitor } from './export.ts'
import { findVisitorOwner } from './store.ts'

const config = { access: managers('chat:manage'), pool: 'default' } as const
const tags = ['Privacy']
const Path = z.object({ visitor_id: z.string().max(64) })

const read = {
  config,
  schema: {
    summary: 'Export all data of a visitor',
    tags,
    params: Path,
    response: { 200: VisitorExport },
  },
} as const

const erase = {
  config,
  schema: {
    summary: 'Erase all data of a visitor',
    tags,
    params: Path,
    response: { 204: z.null() },
  },
} as const

/** Registers export and erasure of a visitor's personal data. */
export function privacyRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/visitors/:visitor_id/export', read, async (request, reply) => {
    const { workspaceId, visitorId } = await loadVisitor(request.params, requireMember(request))
    await transaction(ctx, (tx) =>
      recordAudit(tx, workspaceId, { actor: actorOf(request), action: 'visitor.exported' }),
    )
    return sendDocument(reply, exportVisitor(ctx, { workspaceId, visitorId }))
  })

  app.delete('/api/v1/visitors/:visitor_id', erase, async (request, reply) => {
    const visitor = await loadVisitor(request.params, requireMember(request))
    await eraseVisitor(ctx, visitor, actorOf(request))
    return reply.code(204).send(null)
  })

  async function loadVisitor(
    { visitor_id: visitorId }: z.infer<typeof Path>,
    { workspaceId }: UserCaller,
  ): Promise<{ workspaceId: string; visitorId: string }> {
    assertOwned(await findVisitorOwner(ctx.db, visitorId), workspaceId, 'visitor')
    return { workspaceId, visitorId }
  }
}

function sendDocument(reply: FastifyReply, parts: AsyncGenerator<string>): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', 'attachment; filename="visitor.json"')
    .send(Readable.from(parts))
}
