import { serializeCall } from '../actions/calls.ts'
import { listSessionCalls } from '../actions/store.calls.ts'
import { serializeAppointment } from '../appointments/book.ts'
import { serializeIdentity } from '../chat/visitor/identity.ts'
import { findIdentity } from '../chat/visitor/store.identities.ts'
import type { SessionRow } from '../chat/session/store.ts'
import type { Context } from '../context.ts'
import { isoTime } from '../http/pagination.ts'
import { exportSession } from '../inbox/export.ts'
import type { VisitorExport } from './schema.ts'
import { listContacts, listSessionAppointments, listVisitorSessions } from './store.ts'

const SESSIONS_AT_ONCE = 50

/** Streams all data of a visitor as one JSON document, `VisitorExport`, one session at a time. */
export async function* exportVisitor(
  ctx: Context,
  { workspaceId, visitorId }: { workspaceId: string; visitorId: string },
): AsyncGenerator<string> {
  const identity = await findIdentity(ctx.db, workspaceId, visitorId)
  const head: Omit<VisitorExport, 'sessions' | 'appointments' | 'action_calls'> = {
    visitor_id: visitorId,
    identity: identity ? serializeIdentity(identity) : null,
    contacts: await listContacts(ctx.db, workspaceId, visitorId),
    exported_at: isoTime(ctx.now()),
  }
  const sessions = () => eachSession(ctx, workspaceId, visitorId)
  yield `${JSON.stringify(head).slice(0, -1)},"sessions":[`
  yield* joined(sessions(), async (session) => [await exportSession(ctx, session)])
  yield '],"appointments":['
  yield* joined(sessions(), async (session) =>
    (await listSessionAppointments(ctx.db, session)).map(serializeAppointment),
  )
  yield '],"action_calls":['
  yield* joined(sessions(), async (session) => {
    const place = { workspaceId, sessionId: session.id }
    return (await listSessionCalls(ctx.db, place)).map(serializeCall)
  })
  yield ']}'
}

/** Yields the visitor's sessions in batches, the oldest first. */
async function* eachSession(
  ctx: Context,
  workspaceId: string,
  visitorId: string,
): AsyncGenerator<SessionRow> {
  for (let after: SessionRow | undefined; ;) {
    const page = { after, limit: SESSIONS_AT_ONCE }
    const rows = await listVisitorSessions(ctx.db, { workspaceId, visitorId }, page)
    yield* rows
    after = rows.at(-1)
    if (rows.length < SESSIONS_AT_ONCE) return
  }
}

/** Yields the elements that each session has as JSON, with commas between them. */
async function* joined(
  sessions: AsyncIterable<SessionRow>,
  elementsOf: (session: SessionRow) => Promise<object[]>,
): AsyncGenerator<string> {
  let comma = ''
  for await (const session of sessions) {
    for (const element of await elementsOf(session)) {
      yield comma + JSON.stringify(element)
      comma = ','
    }
  }
}
