import { z } from 'zod'
import type { Context } from '../../context.ts'
import { managers } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { isoTime, PageQuery, pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { openIntegration } from '../integrations.ts'
import { OutboundMessage } from '../schema.ts'
import { type OutboundRow, listOutbound } from './store.outbound.ts'

const list = {
  config: { access: managers('chat:manage'), pool: 'default' },
  schema: {
    summary: 'Outbound messages of the last 30 days and their state, newest first',
    tags: ['Integrations'],
    params: z.object({ integration_id: z.string().max(64) }),
    querystring: PageQuery,
    response: { 200: pageSchema(OutboundMessage) },
  },
} as const

/** The log of an integration's outbound messages. */
export function outboundMessageRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/integrations/:integration_id/messages', list, async (request) => {
    const { workspaceId } = requireMember(request)
    const row = await openIntegration(ctx, workspaceId, request.params.integration_id)
    const { limit, cursor } = request.query
    const rows = await listOutbound(ctx.db, row, { limit, after: cursor })
    return toPage(rows, limit, (sent) => ({ at: sent.created_at, id: sent.id }), showOutbound)
  })
}

function showOutbound(row: OutboundRow): OutboundMessage {
  return {
    outbound_id: row.id,
    session_id: row.session_id,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    created_at: isoTime(row.created_at),
    next_at: row.state === 'waiting' ? isoTime(row.next_at) : null,
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  }
}
