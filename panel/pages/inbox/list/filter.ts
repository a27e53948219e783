import type { InboxSession } from '../../../../server/inbox/schema.ts'
import type { Query } from '../../../app/api/api.ts'

export const VIEWS = ['open', 'waiting', 'mine', 'snoozed', 'closed'] as const
export type View = (typeof VIEWS)[number]

/** The filter of the list, as the page's address has it. */
export interface Filter {
  view: View
  q: string
  tag: string
  site: string
}

const MIN_SEARCH_LENGTH = 2

export function readFilter(query: URLSearchParams): Filter {
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'open'
  const q = query.get('q')?.trim() ?? ''
  return {
    view,
    q: q.length < MIN_SEARCH_LENGTH ? '' : q,
    tag: query.get('tag') ?? '',
    site: query.get('site') ?? '',
  }
}

/** Returns the filter as `GET /inbox` takes it. */
export function queryOf({ view, q, tag, site }: Filter): Query {
  return {
    state: view === 'waiting' || view === 'closed' ? view : 'open',
    assignee: view === 'mine' ? 'me' : undefined,
    snoozed: view === 'snoozed' ? true : undefined,
    q: q || undefined,
    tag: tag || undefined,
    tenant_id: site || undefined,
  }
}

/** Whether a conversation that changed still belongs to the view; the server decides on searches. */
export function belongsTo({ view, tag, site }: Filter, row: InboxSession, userId: string): boolean {
  if (tag !== '' && !row.tags.includes(tag)) return false
  if (site !== '' && row.tenant_id !== site) return false
  if (view === 'snoozed') return isSnoozed(row) && row.state !== 'closed'
  if (view === 'closed') return row.state === 'closed'
  if (row.state === 'closed' || isSnoozed(row)) return false
  if (view === 'waiting') return row.state === 'waiting'
  return view === 'open' || row.assignee?.user_id === userId
}

/** Whether the conversation is out of the list for a while. */
export function isSnoozed({ snoozed_until: until }: InboxSession): boolean {
  return until !== null && Date.parse(until) > Date.now()
}
