import type { VNode } from 'preact'
import type { InboxSession } from '../../../../server/inbox/schema.ts'
import { useApp } from '../../../app/app-context.ts'
import { BASE } from '../../../app/router.ts'
import type { Words } from '../../../locales/en/inbox.ts'
import { Ago, Avatar, Badge } from '../../../ui/page.tsx'
import { holderOf, nameOf, waitOf } from '../people.ts'

const MINUTE_MS = 60_000

/** One conversation of the list. */
export function ConversationRow({
  row,
  words,
  search,
  isCurrent,
}: {
  row: InboxSession
  words: Words
  /** The filters, which the thread's address keeps. */
  search: string
  isCurrent: boolean
}): VNode {
  const { sites } = useApp()
  const name = nameOf(row, words)
  const { last_message: last, unread } = row
  const hasManySites = (sites.value?.length ?? 0) > 1
  const site = hasManySites && sites.value?.find(({ tenant_id: id }) => id === row.tenant_id)?.name
  return (
    <a
      class={unread > 0 ? 'conversation unread' : 'conversation'}
      href={`${BASE}/inbox/${row.session_id}${search}`}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Avatar name={name} />
      <span class="grow">
        <span class="first">
          <b class="ellipsis">{name}</b>
          <span class="soft small">
            <Ago at={last?.created_at ?? row.updated_at} />
          </span>
        </span>
        <span class="first">
          <span class="preview ellipsis">
            {last === null ? words.noMessages : (speaker(last.role, words) ?? '') + last.content}
          </span>
          {unread > 0 && (
            <span class="unread-count">
              {unread}
              <span class="visually-hidden"> {words.unread(unread)}</span>
            </span>
          )}
        </span>
        <span class="marks">
          <StateBadge row={row} words={words} />
          {site && <span class="soft small ellipsis">{site}</span>}
          {row.tags.slice(0, 2).map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      </span>
    </a>
  )
}

function speaker(role: string, words: Words): string | undefined {
  if (role === 'operator') return `${words.team}: `
  return role === 'assistant' ? `${words.bot}: ` : undefined
}

/** The state of a conversation, as a badge. */
export function StateBadge({ row, words }: { row: InboxSession; words: Words }): VNode {
  const { format, session } = useApp()
  if (row.state === 'waiting') {
    const wait = waitOf(row)
    return (
      <Badge tone="warn">
        {wait === undefined
          ? words.states.waiting
          : words.waitingFor(format.value.duration(Math.max(MINUTE_MS, wait)))}
      </Badge>
    )
  }
  if (row.state === 'operator') {
    return (
      <Badge tone="accent">
        {holderOf(row, session.me.value?.user.id, words) ?? words.states.operator}
      </Badge>
    )
  }
  return <Badge>{words.states[row.state]}</Badge>
}
