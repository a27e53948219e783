import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { members, visitorsAndMembers } from '../http/access.ts'
import type { App } from '../http/app-type.ts'
import { startEventStream } from '../http/sse.ts'
import type { StreamPosition } from '../live/feed.ts'
import { SessionEvent, WorkspaceEvent } from '../live/schema.ts'
import { requireCaller, requireMember } from '../platform/auth/authenticator.ts'
import { findOperator } from './session/operators.ts'
import { checkVisitorSite } from './routes.visitor.ts'
import { serializeState } from './session/session-events.ts'
import type { VisitorActivity } from './visitor/activity.ts'
import { openSession } from './session/sessions.ts'
import { onResponseClosed } from '../http/response-closed.ts'

/** Position of the reader's last event. Any other text counts as an absent position. */
const EVENT_ID = /^\d{1,15}$/
const LiveQuery = z.strictObject({
  /** `EventSource` of browsers cannot send a header with its first request. */
  last_event_id: z.string().max(64).optional(),
})
const LiveHeaders = z.looseObject({ 'last-event-id': z.string().optional() })

// A HEAD request would wait for the end of an endless stream, so these routes answer none.
const session = {
  exposeHeadRoute: false,
  config: { access: visitorsAndMembers('chat:message'), pool: 'default', events: SessionEvent },
  schema: {
    summary: 'Stream the events of a session',
    tags: ['Chat'],
    params: z.object({ session_id: z.string().max(64) }),
    querystring: LiveQuery,
    headers: LiveHeaders,
  },
} as const

const workspace = {
  exposeHeadRoute: false,
  config: { access: members('chat:manage'), pool: 'default', events: WorkspaceEvent },
  schema: {
    summary: 'Stream the events of every session of the workspace',
    tags: ['Inbox'],
    querystring: LiveQuery,
    headers: LiveHeaders,
  },
} as const

/** Registers the live streams of visitors and operators; `docs/live.md` describes the events. */
export function liveRoutes(app: App, ctx: Context, visitors: VisitorActivity): void {
  app.addHook('preClose', async () => ctx.live.close())

  app.get('/api/v1/chatbot/sessions/:session_id/live', session, async (request, reply) => {
    await checkVisitorSite(ctx, request, reply)
    const caller = requireCaller(request)
    const row = await openSession(ctx, caller, request.params.session_id)
    if (caller.kind === 'visitor') onResponseClosed(reply.raw, visitors.enter(row.id))
    const { id, workspace_id, state, assignee_id, event_count } = row
    const after = cursorBefore(request.headers, request.query, event_count)
    const first = { name: 'state', at: event_count, data: {} }
    if (after === undefined) {
      first.data = serializeState(id, state, await findOperator(ctx, row, assignee_id))
    }
    const place = { workspaceId: workspace_id, sessionId: id }
    return stream(ctx, reply, place, after === undefined ? { first } : { after })
  })

  app.get('/api/v1/live', workspace, async (request, reply) => {
    const { workspaceId } = requireMember(request)
    const position = await ctx.live.positionOf(workspaceId)
    const after = cursorBefore(request.headers, request.query, position)
    const first = { name: 'ready', at: position, data: {} }
    const place = { workspaceId, sessionId: undefined }
    return stream(ctx, reply, place, after === undefined ? { first } : { after })
  })
}

/** Returns the position that the reader has reached; `undefined` for a new reader. */
function cursorBefore(
  headers: z.infer<typeof LiveHeaders>,
  query: z.infer<typeof LiveQuery>,
  last: number,
): number | undefined {
  const id = headers['last-event-id'] ?? query.last_event_id
  if (id === undefined || !EVENT_ID.test(id)) return undefined
  return Number(id) <= last ? Number(id) : undefined
}

function stream(
  ctx: Context,
  reply: FastifyReply,
  place: StreamPosition,
  begin: Parameters<Context['live']['open']>[2],
): FastifyReply {
  const raw = startEventStream(reply)
  const opened = ctx.live.open(raw, place, begin)
  const unwatch = reply.server.watchStream(reply.request, () => ctx.live.end(opened, 'ended'))
  onResponseClosed(raw, unwatch)
  return reply
}
