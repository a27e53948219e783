import { useComputed, useSignal } from '@preact/signals'
import type { RefObject, VNode } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import type { Page } from '../../../app/api/api.ts'
import { useApp } from '../../../app/app-context.ts'
import { useResource, type Resource } from '../../../app/api/resource.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Failure, Skeleton } from '../../../ui/page.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { AlertSettings } from '../alert-settings.tsx'
import { drawConversation, type RowContext } from './conversation-row.tsx'
import type { Conversations } from './conversations.ts'
import { VIEWS, type Filter, type View } from './filter.ts'
import { PresenceMenu } from '../presence-menu.tsx'

const ROW_HEIGHT = 88
const MINUTE_MS = 60_000
const SEARCH_DELAY_MS = 250
const COUNT_DELAY_MS = 400
const POLL_INTERVAL_MS = 10_000

interface Counts {
  waiting: number
  mine: number
  open: number
  closed: number
}

interface Props {
  words: Words
  filter: Filter
  list: Conversations
  selected: string | undefined
  search: RefObject<HTMLInputElement | null>
  onKeys: () => void
}

/** The left column: views, search and the conversations. */
export function ListPane({ words, filter, list, selected, search, onKeys }: Props): VNode {
  const app = useApp()
  const rows = list.rows.value
  const minute = useMinutes()
  const query = app.router.query.value.toString()
  const format = app.format.value
  const userId = app.session.me.value?.user.id
  const sites = app.sites.value
  const tags = useTags()
  const known = useComputed(() => tags.value.value?.data ?? [])
  // The filters stand above the rows, and would push them away from under a finger.
  const knowsTags = tags.value.value !== undefined || tags.error.value !== undefined
  const drawRow = useMemo(() => {
    const all = (sites ?? []).map((site) => [site.tenant_id, site.name] as const)
    const context: RowContext = {
      words,
      format,
      userId,
      search: query === '' ? '' : `?${query}`,
      selected,
      sites: new Map(all.length > 1 ? all : []),
    }
    return (row: InboxSession) => drawConversation(row, context)
  }, [words, format, userId, sites, query, selected, minute])
  return (
    <section class="inbox-list" aria-label={words.list}>
      <header>
        <div class="row between">
          <p class="list-title" aria-hidden="true">
            {words.title}
          </p>
          <div class="row tight">
            <PresenceMenu words={words} />
            <AlertSettings />
            <Button kind="plain" small icon="info" label={words.keys.title} onPress={onKeys} />
          </div>
        </div>
        <Views words={words} filter={filter} />
        <SearchField words={words} filter={filter} input={search} />
        <Filters words={words} filter={filter} known={known.value} />
      </header>
      {app.live.isBlocked.value && <p class="soft small blocked">{app.words.value.reconnecting}</p>}
      {rows === undefined && list.error.value !== undefined ? (
        <Failure error={list.error.value} retry={list.reload} />
      ) : rows === undefined || !knowsTags ? (
        <Skeleton lines={12} />
      ) : rows.length === 0 ? (
        <NothingHere words={words} filter={filter} />
      ) : (
        <VirtualList
          rows={rows}
          rowHeight={ROW_HEIGHT}
          rowKey={keyOf}
          label={words.list}
          selected={selected}
          onEnd={() => list.more().catch(() => undefined)}
        >
          {drawRow}
        </VirtualList>
      )}
    </section>
  )
}

/** Returns a number that grows every minute, because the list shows how long ago things were. */
function useMinutes(): number {
  const minutes = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => (minutes.value += 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return minutes.value
}

function keyOf(row: InboxSession): string {
  return row.session_id
}

function Views({ words, filter }: { words: Words; filter: Filter }): VNode {
  const { api, live, router, format } = useApp()
  const counts = useResource<Counts>('counts', (signal) => api.get('inbox/counts', {}, signal))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unfollow = live.follow(({ name }) => {
      if (name === 'message' || name === 'typing' || name === 'read' || name === 'note') return
      timer ??= setTimeout(() => {
        timer = undefined
        void counts.reload()
      }, COUNT_DELAY_MS)
    })
    const poll = setInterval(() => live.isBlocked.value && void counts.reload(), POLL_INTERVAL_MS)
    return () => {
      unfollow()
      clearTimeout(timer)
      clearInterval(poll)
    }
  }, [])
  const countOf = (view: View): number | undefined => {
    const { value } = counts.value
    return view === 'waiting' || view === 'mine' || view === 'open' ? value?.[view] : undefined
  }
  return (
    <nav class="views" aria-label={words.viewsLabel}>
      {VIEWS.map((view) => {
        const count = countOf(view)
        const next = new URLSearchParams(router.query.value)
        next.set('view', view)
        return (
          <a
            key={view}
            href={`${BASE}${router.path.value}?${next.toString()}`}
            aria-current={view === filter.view ? 'page' : undefined}
          >
            {words.views[view]}
            {count ? <span class="number soft"> {format.value.number(count)}</span> : null}
          </a>
        )
      })}
    </nav>
  )
}

function SearchField({
  words,
  filter,
  input,
}: {
  words: Words
  filter: Filter
  input: RefObject<HTMLInputElement | null>
}): VNode {
  const { router } = useApp()
  const typed = useSignal(filter.q)
  useEffect(() => {
    if (typed.value.trim() === filter.q) return undefined
    const timer = setTimeout(() => router.setQuery({ q: typed.value.trim() }), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <input
      ref={input}
      type="search"
      class="input"
      aria-label={words.search}
      placeholder={words.search}
      maxLength={100}
      value={typed.value}
      onInput={(event) => (typed.value = event.currentTarget.value)}
    />
  )
}

interface Tag {
  tag: string
  count: number
}

function useTags(): Resource<Page<Tag>> {
  const { api, live } = useApp()
  const tags = useResource<Page<Tag>>('tags', (signal) => api.get('inbox/tags', {}, signal))
  useEffect(
    () => live.follow(({ name }) => name === 'inbox' && void tags.reload().catch(() => undefined)),
    [],
  )
  return tags
}

/** Narrows the list to a site and a tag, where there is a choice. */
function Filters({
  words,
  filter,
  known,
}: {
  words: Words
  filter: Filter
  known: readonly Tag[]
}): VNode | null {
  const { router, sites, hasSeveralSites } = useApp()
  if (!hasSeveralSites.value && known.length === 0) return null
  return (
    <div class="filters">
      {hasSeveralSites.value && (
        <select
          class="input"
          aria-label={words.card.site}
          value={filter.site}
          onChange={(event) => router.setQuery({ site: event.currentTarget.value })}
        >
          <option value="">{words.allSites}</option>
          {sites.value?.map((site) => (
            <option key={site.tenant_id} value={site.tenant_id}>
              {site.name}
            </option>
          ))}
        </select>
      )}
      {known.length > 0 && (
        <select
          class="input"
          aria-label={words.card.tags}
          value={filter.tag}
          onChange={(event) => router.setQuery({ tag: event.currentTarget.value })}
        >
          <option value="">{words.allTags}</option>
          {known.map(({ tag, count }) => (
            <option key={tag} value={tag}>{`${tag} (${count})`}</option>
          ))}
        </select>
      )}
    </div>
  )
}

function NothingHere({ words, filter }: { words: Words; filter: Filter }): VNode {
  const { router } = useApp()
  const isSearch = filter.q !== '' || filter.tag !== '' || filter.site !== ''
  const { title, text } = words.empty[isSearch ? 'search' : filter.view]
  const isFirst = !isSearch && filter.view === 'open'
  return (
    <Empty
      icon="inbox"
      title={title}
      action={
        isFirst ? (
          <Button href={`${BASE}/widget`}>{words.showWidget}</Button>
        ) : isSearch && filter.view !== 'closed' ? (
          <Button onPress={() => router.setQuery({ view: 'closed' })}>{words.searchClosed}</Button>
        ) : undefined
      }
    >
      {text}
    </Empty>
  )
}
