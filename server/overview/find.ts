import type { Context } from '../context.ts'
import { serializeInboxSessions } from '../inbox/conversations.ts'
import type { InboxSession } from '../inbox/schema.ts'
import { searchInbox } from '../inbox/search.ts'
import { fold } from '../lib/text/fold.ts'
import type { Found } from './schema.ts'
import { type NamedRow, listNamed } from './store.ts'

const MAX_FOUND = 20
const MAX_PER_KIND = 5
/** Rows of a kind that are compared: sites and members are fewer, of the rest the newest. */
const MAX_COMPARED = 2_000
/** The inbox is not searched for a single letter. */
const MIN_INBOX_SEARCH_LENGTH = 2

/** Where the panel shows each kind. */
const PATHS: Readonly<Record<Found['kind'], (id: string, site?: string) => string>> = {
  site: (id) => `/widget?site=${id}`,
  conversation: (id) => `/inbox/${id}`,
  lead: (id) => `/leads/${id}`,
  person: () => '/team',
  document: (id, site = '') => `/knowledge/documents/${id}?site=${site}`,
}

/**
 * Returns the sites, people, documents, leads and conversations with a text, a few of each. Case and
 * accents do not count; what begins with the text comes first.
 */
export async function findAnything(
  ctx: Context,
  workspaceId: string,
  text: string,
): Promise<Found[]> {
  const wanted = fold(text)
  const [named, conversations] = await Promise.all([
    listNamed(ctx.db, workspaceId, MAX_COMPARED),
    findConversations(ctx, workspaceId, text),
  ])
  const siteName = (id: string): string => named.site.find((site) => site.id === id)?.title ?? id
  const kinds = ['site', 'person', 'lead', 'document'] as const
  const found = kinds.flatMap((kind) =>
    bestOf(named[kind], wanted).map(({ site, ...row }) => ({
      kind,
      ...row,
      path: PATHS[kind](row.id, site),
    })),
  )
  const shown = conversations.map((conversation) => toFound(conversation, siteName))
  return [...found, ...shown].slice(0, MAX_FOUND)
}

function bestOf(rows: readonly NamedRow[], wanted: string): NamedRow[] {
  const ranked = rows.flatMap((row) => {
    const title = fold(row.title)
    if (title.startsWith(wanted)) return [{ row, rank: 0 }]
    if (title.includes(wanted)) return [{ row, rank: 1 }]
    return fold(row.detail).includes(wanted) ? [{ row, rank: 2 }] : []
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_PER_KIND)
    .map(({ row }) => row)
}

async function findConversations(
  ctx: Context,
  workspaceId: string,
  text: string,
): Promise<InboxSession[]> {
  if (text.length < MIN_INBOX_SEARCH_LENGTH) return []
  const all = {
    states: undefined,
    assigneeId: undefined,
    tenantId: undefined,
    isUnread: undefined,
    tag: undefined,
    isSnoozed: undefined,
  }
  const filter = { workspaceId, ...all, now: ctx.now() }
  const { rows } = await searchInbox(ctx, filter, {
    text,
    limit: MAX_PER_KIND,
    after: undefined,
    maxSearched: MAX_COMPARED,
  })
  return serializeInboxSessions(ctx, workspaceId, rows)
}

/** Names a conversation by its visitor, and a visitor without a name as the inbox does, with the site. */
function toFound(session: InboxSession, siteName: (id: string) => string): Found {
  const {
    session_id: id,
    visitor_id: visitorId,
    visitor,
    identity,
    lead_name: lead,
    last_message: last,
  } = session
  const name = lead ?? identity?.name ?? visitor.name ?? visitor.email ?? visitor.phone
  const code = (visitorId ?? id).slice(-4).toUpperCase()
  return {
    kind: 'conversation',
    id,
    title: name ?? `${siteName(session.tenant_id)} · ${code}`,
    detail: last?.content ?? '',
    path: PATHS.conversation(id),
  }
}
