import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import type { LiveEvent } from '../../../app/api/live.ts'
import { useList, type List } from '../../../app/api/resource.ts'
import { belongsTo, queryOf, type Filter } from './filter.ts'

const FIRST_PAGE = 50
const NEXT_PAGE = 100
/** Events come in bursts: the top of the list is read again at most this often. */
const REFRESH_INTERVAL_MS = 1_000
const POLL_INTERVAL_MS = 5_000
const PREVIEW_LENGTH = 160

export interface Conversations extends List<InboxSession> {
  /** Shows a changed conversation, or takes it out when it no longer belongs here. */
  put(row: InboxSession): void
  remove(sessionId: string): void
}

/** The conversations that a filter shows, the latest first, kept current by the event stream. */
export function useConversations(filter: Filter): Conversations {
  const { api, live, session } = useApp()
  const userId = session.me.value?.user.id ?? ''
  const load = (cursor: string | undefined, signal?: AbortSignal): Promise<Page<InboxSession>> =>
    api.get('inbox', { ...queryOf(filter), limit: cursor ? NEXT_PAGE : FIRST_PAGE, cursor }, signal)
  const list = useList<InboxSession>(JSON.stringify(filter), load)
  const current = useRef({ filter, load })
  current.current = { filter, load }

  const put = useCallback((row: InboxSession) => {
    const { filter: shown } = current.current
    list.change((rows) => {
      const at = rows.findIndex(({ session_id: id }) => id === row.session_id)
      if (!belongsTo(shown, row, userId)) return at < 0 ? rows : rows.toSpliced(at, 1)
      if (at < 0) return shown.q === '' ? [row, ...rows] : rows
      if (rows[at]?.updated_at === row.updated_at) return rows.with(at, row)
      return [row, ...rows.toSpliced(at, 1)]
    })
  }, [])

  const remove = useCallback((sessionId: string) => {
    list.change((rows) => rows.filter(({ session_id: id }) => id !== sessionId))
  }, [])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let refreshedAt = 0

    async function refresh(): Promise<void> {
      refreshedAt = Date.now()
      const asked = current.current
      const head = await asked.load(undefined).catch(() => undefined)
      if (head && current.current.filter.q === asked.filter.q) {
        list.change((rows) => withHead(rows, head))
      }
    }

    function refreshSoon(): void {
      if (current.current.filter.q !== '') return
      timer ??= setTimeout(
        () => {
          timer = undefined
          void refresh()
        },
        Math.max(100, refreshedAt + REFRESH_INTERVAL_MS - Date.now()),
      )
    }

    function hear(event: LiveEvent): void {
      if (event.name === 'ready' || event.name === 'reset' || event.name === 'session') {
        refreshSoon()
        return
      }
      if (event.name === 'removed') {
        remove(event.data.session_id)
        return
      }
      const id = sessionOf(event)
      const row = list.rows.peek()?.find(({ session_id: each }) => each === id)
      if (row) put(changedBy(row, event))
      // A state moves conversations between the views; a message may wake one that is snoozed.
      if (event.name === 'state' || event.name === 'inbox' || (event.name === 'message' && !row)) {
        refreshSoon()
      }
    }

    const unfollow = live.follow(hear)
    const poll = setInterval(() => live.isBlocked.value && refreshSoon(), POLL_INTERVAL_MS)
    return () => {
      unfollow()
      clearTimeout(timer)
      clearInterval(poll)
    }
  }, [])

  return {
    ...list,
    put,
    remove,
    async more() {
      await list.more()
      list.change(unique)
    },
  }
}

/** Returns the conversation that the event changes. */
function sessionOf(event: LiveEvent): string | undefined {
  const { name, data } = event
  const isChange = name === 'message' || name === 'state' || name === 'read' || name === 'inbox'
  return isChange ? data.session_id : undefined
}

/** Returns the row as it is after an event. */
export function changedBy<Row extends InboxSession>(row: Row, event: LiveEvent): Row {
  if (event.name === 'message') {
    const { role, content, created_at, unread } = event.data
    const last = { role, content: content.slice(0, PREVIEW_LENGTH), created_at }
    return { ...row, last_message: last, unread, updated_at: created_at, ...awake(event.data) }
  }
  if (event.name === 'state') {
    const { state, assignee } = event.data
    const waiting_since = state === 'waiting' ? new Date().toISOString() : null
    // The event has no picture; that of another person comes with the next reading.
    const isSame = assignee !== null && assignee.user_id === row.assignee?.user_id
    const picture_url = isSame ? (row.assignee?.picture_url ?? null) : null
    return { ...row, state, assignee: assignee && { ...assignee, picture_url }, waiting_since }
  }
  if (event.name === 'read') return { ...row, unread: event.data.unread }
  if (event.name === 'inbox') {
    return { ...row, tags: event.data.tags, snoozed_until: event.data.snoozed_until }
  }
  return row
}

/** A visitor's message ends the snooze. */
function awake({ role }: { role: string }): { snoozed_until?: null } {
  return role === 'visitor' ? { snoozed_until: null } : {}
}

/** Puts the newest page in the place of the rows that are as new. */
function withHead(rows: InboxSession[], head: Page<InboxSession>): InboxSession[] {
  const oldest = head.data.at(-1)
  if (head.next_cursor === null || !oldest) return head.data
  const ids = new Set(head.data.map(({ session_id: id }) => id))
  return [
    ...head.data,
    ...rows.filter((row) => !ids.has(row.session_id) && row.updated_at < oldest.updated_at),
  ]
}

function unique(rows: InboxSession[]): InboxSession[] {
  return [...new Map(rows.map((row) => [row.session_id, row])).values()]
}
