import { serializeFeedback } from '../chat/session/feedback.ts'
import { serializeMessage } from '../chat/session/messages.ts'
import { listFeedback } from '../chat/session/store.feedback.ts'
import { type MessageRow, type SessionRow, listMessages } from '../chat/session/store.ts'
import type { Context } from '../context.ts'
import { isoTime } from '../http/pagination.ts'
import { serializeLead } from '../leads/serialize.ts'
import { findSessionLead } from '../leads/store.ts'
import type { SessionExport } from './schema.ts'

const MAX_PER_READ = 1_000

/** Returns all stored data of a session that belongs to its visitor; operators' notes do not. */
export async function exportSession(ctx: Context, session: SessionRow): Promise<SessionExport> {
  const place = { workspaceId: session.workspace_id, sessionId: session.id }
  const messages: MessageRow[] = []
  for (;;) {
    const after = messages.at(-1)?.sequence ?? 0
    const rows = await listMessages(ctx.db, place, { limit: MAX_PER_READ, after })
    messages.push(...rows)
    if (rows.length <= MAX_PER_READ) break
  }
  const lead = await findSessionLead(ctx.db, place)
  const feedback = await listFeedback(ctx.db, place)
  return {
    session_id: session.id,
    tenant_id: session.tenant_id,
    visitor_id: session.visitor_id,
    state: session.state,
    channel: session.channel,
    locale: session.locale,
    page_url: session.page_url,
    created_at: isoTime(session.created_at),
    updated_at: isoTime(session.updated_at),
    messages: messages.map(serializeMessage),
    feedback: feedback.map(serializeFeedback),
    lead: lead ? serializeLead(lead) : null,
    exported_at: isoTime(ctx.now()),
  }
}
