import { z } from 'zod'
import type { Context } from '../../context.ts'
import { managers } from '../../http/access.ts'
import type { App } from '../../http/app-type.ts'
import { isoTime, PageQuery, pageSchema } from '../../http/pagination.ts'
import { toPage } from '../../lib/cursor.ts'
import { requireMember } from '../../platform/auth/authenticator.ts'
import { openIntegration } from '../integrations.ts'
import { InboundEvent } from '../schema.ts'
import { type InboundRow, listInbound } from './store.inbound.ts'

const list = {
  config: { access: managers('chat:manage'), pool: 'default' },
  schema: {
    summary: 'Inbound events of the last 30 days and their state, newest first',
    tags: ['Integrations'],
    params: z.object({ integration_id: z.string().max(64) }),
    querystring: PageQuery,
    response: { 200: pageSchema(InboundEvent) },
  },
} as const

/** The log of an integration's inbound events. */
export function inboundEventRoutes(app: App, ctx: Context): void {
  app.get('/api/v1/integrations/:integration_id/events', list, async (request) => {
    const { workspaceId } = requireMember(request)
    const row = await openIntegration(ctx, workspaceId, request.params.integration_id)
    const { limit, cursor } = request.query
    const rows = await listInbound(ctx.db, row, { limit, after: cursor })
    return toPage(rows, limit, (event) => ({ at: event.created_at, id: event.id }), showInbound)
  })
}

function showInbound(row: InboundRow): InboundEvent {
  return {
    event_id: row.id,
    provider_event_id: row.provider_event_id,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    received_at: isoTime(row.created_at),
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  }
}
