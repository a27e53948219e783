import type { Context } from '../context.ts'
import { toPage } from '../lib/cursor.ts'
import type { UserCaller } from '../platform/auth/authenticator.ts'
import { serializeInboxSessions } from './conversations.ts'
import type { InboxQuery, InboxSession } from './schema.ts'
import { MAX_SEARCHED, searchInbox } from './search.ts'
import { type InboxFilter, listInbox } from './store.list.ts'

const OPEN = ['bot', 'waiting', 'operator'] as const

/** Returns a page of a workspace's conversations, newest first. */
export async function readInbox(
  ctx: Context,
  caller: UserCaller,
  query: InboxQuery,
): Promise<{ data: InboxSession[]; next_cursor: string | null }> {
  const { workspaceId } = caller
  const { limit, cursor: after, q } = query
  const filter = inboxFilterOf(caller, query, ctx.now())
  if (q !== undefined) {
    const { rows, next_cursor } = await searchInbox(ctx, filter, {
      text: q,
      limit,
      after,
      maxSearched: MAX_SEARCHED,
    })
    return { data: await serializeInboxSessions(ctx, workspaceId, rows), next_cursor }
  }
  const rows = await listInbox(ctx.db, filter, { limit, after })
  const page = toPage(
    rows,
    limit,
    (row) => ({ at: row.updated_at, id: row.id }),
    (row) => row,
  )
  const data = await serializeInboxSessions(ctx, workspaceId, page.data)
  return { data, next_cursor: page.next_cursor }
}

function inboxFilterOf(caller: UserCaller, query: InboxQuery, now: number): InboxFilter {
  const { state, unread, snoozed, q } = query
  return {
    workspaceId: caller.workspaceId,
    states: state === 'open' ? OPEN : state && [state],
    assigneeId: assigneeOf(caller, query.assignee),
    tenantId: query.tenant_id,
    isUnread: unread === undefined ? undefined : unread === 'true',
    tag: query.tag,
    isSnoozed: snoozed === undefined && q !== undefined ? undefined : snoozed === 'true',
    now,
  }
}

/** Returns the assignee filter: a member's id, null for unassigned, `undefined` for any. */
function assigneeOf(caller: UserCaller, assignee: string | undefined): string | null | undefined {
  if (assignee === 'me') return caller.id
  return assignee === 'none' ? null : assignee
}
